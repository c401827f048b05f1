import { createRequire } from 'node:module';
import packaged from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';
import { BACKSTOP_MS } from './backstop.ts';

/** Switches of the packaged browser that remove limits which every other browser has. */
const UNSAFE_SWITCH = /web-security|site-isolation|insecure|single-process|isolate/;

/** The script of axe, which finds what keeps people out. https://github.com/dequelabs/axe-core */
export const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** A real browser that comes from the package registry alone; the caller closes it. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await packaged.executablePath(),
    timeout: BACKSTOP_MS,
    args: packaged.args.filter((argument) => !UNSAFE_SWITCH.test(argument)),
  });
}
