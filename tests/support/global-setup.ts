import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../../scripts/paths.ts';
import { startStack, type StackInfo } from '../../scripts/stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The running stack: `inject('stack')`. */
    stack: StackInfo;
  }
}

const LOG_FILE = join(ROOT, 'test-stack.log');

/**
 * Starts one stack on free ports for all system tests, so that they run beside a developer's own.
 * With HEARTH_OFFICIAL=1 it is Google's emulators, which need Java and their downloads.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Without a handler a signal would end this process before it could end the stack.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const log = createWriteStream(LOG_FILE);
  const { failed, stop, ...info } = await startStack({
    projectId: 'demo-hearth-test',
    ports: 'free',
    official: process.env['HEARTH_OFFICIAL'] === '1',
    onLine: (source, line) => log.write(`${source}: ${line}\n`),
  });
  // The functions emulator would start a process for each document that any test writes.
  await fetch(`${info.urls.hub}/functions/disableBackgroundTriggers`, { method: 'PUT' });
  provide('stack', info);
  let stopping = false;
  void failed.then((error) => {
    if (!stopping) console.error(`${error.message}\nAll of it: ${LOG_FILE}`);
  });
  return async () => {
    stopping = true;
    await stop();
    log.end();
  };
}
