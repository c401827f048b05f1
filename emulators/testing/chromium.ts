import { createRequire } from 'node:module';
import packaged from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';
import { BACKSTOP_MS } from './backstop.ts';

/** Switches of the packaged browser that remove limits which every other browser has. */
const UNSAFE_SWITCH = /web-security|site-isolation|insecure|single-process|isolate/;

/** The script of axe, which finds accessibility problems. https://github.com/dequelabs/axe-core */
export const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * Unpacks the browser into the temporary folder of the machine, unless that has been done. Call this before several
 * processes launch the browser: one that finds the file while another one writes it would start half of a program.
 */
export async function unpackChromium(): Promise<void> {
  await packaged.executablePath();
}

/** A real browser that comes from the package registry alone; the caller closes it. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await packaged.executablePath(),
    timeout: BACKSTOP_MS,
    args: packaged.args.filter((argument) => !UNSAFE_SWITCH.test(argument)),
  });
}
