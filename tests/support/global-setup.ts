import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { countFunctionProcesses } from '../../scripts/function-processes.ts';
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
 * What the stack runs: the API, and the queue that it hands tasks to. The functions emulator would start a process for
 * each user who signs up and each document that is written, so the functions that events call are left out.
 * tests/alone/triggers.test.ts has a stack with all of them.
 */
const FUNCTIONS = ['api', 'syncSeats'];

/** One process for each request in flight, and the tests have few at once. */
const MOST_FUNCTION_PROCESSES = 20;

interface SharedStack {
  info: StackInfo;
  stop: () => Promise<void>;
}

/** Each project of vitest.config.ts loads this file for itself, in the same process: they share one stack by this name. */
const shared = globalThis as { hearthTestStack?: { users: number; stack: Promise<SharedStack> } };

/**
 * Starts one stack on free ports for all tests that need one, so that they run beside a developer's own.
 * With HEARTH_OFFICIAL=1 it is Google's emulators, which need Java and their downloads.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const used = (shared.hearthTestStack ??= { users: 0, stack: start() });
  used.users += 1;
  const { info, stop } = await used.stack;
  provide('stack', info);
  return async () => {
    used.users -= 1;
    if (used.users === 0) await stop();
  };
}

async function start(): Promise<SharedStack> {
  // Without a handler a signal would end this process before it could end the stack.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const log = createWriteStream(LOG_FILE);
  const { failed, stop, ...info } = await startStack({
    projectId: 'demo-hearth-test',
    ports: 'free',
    functions: FUNCTIONS,
    official: process.env['HEARTH_OFFICIAL'] === '1',
    onLine: (source, line) => log.write(`${source}: ${line}\n`),
  });
  let stopping = false;
  void failed.then((error) => {
    if (!stopping) console.error(`${error.message}\nAll of it: ${LOG_FILE}`);
  });
  return {
    info,
    stop: async () => {
      stopping = true;
      const count = countFunctionProcesses();
      await stop();
      log.end();
      assertFew(count);
    },
  };
}

/** @throws Error when events or too many requests at once have started processes: they would fill the memory. */
function assertFew(count: number): void {
  if (count <= MOST_FUNCTION_PROCESSES) return;
  throw new Error(`The tests started ${count} processes of functions, more than ${MOST_FUNCTION_PROCESSES}.`);
}
