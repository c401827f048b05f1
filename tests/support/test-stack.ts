import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { countFunctionProcesses } from '../../scripts/function-processes.ts';
import { ROOT } from '../../scripts/paths.ts';
import { startStack, type StackInfo } from '../../scripts/stack.ts';

const LOG_FILE = join(ROOT, 'test-stack.log');

/**
 * The functions that the stack runs: the API, and the queue that it hands tasks to. The functions emulator would start
 * a process for each new user and each document write, so triggers are left out. tests/alone/triggers.test.ts has a
 * stack with all of them.
 */
export const TEST_FUNCTIONS = ['api', 'syncSeats'];

/**
 * The settings of a stack for tests. The rest has the defaults. The files functions/.env* are not read, because the
 * tests depend on the settings, and the files belong to the owner of the project.
 */
export const TEST_STACK_SETTINGS = {
  settingsFiles: false,
  parameters: {
    MAIL_FROM: 'no-reply@app.example',
    // The tasks emulator of the CLI does not wait for the time of a task.
    SEAT_WINDOW_SECONDS: '0',
    SEAT_INVOICE_WINDOW_SECONDS: '0',
  },
} as const;

/**
 * One process for each request in flight. The tests have few at the same time; at most 11 were seen on a busy machine.
 */
const MOST_FUNCTION_PROCESSES = 16;

export interface TestStack {
  info: StackInfo;
  /** @throws Error if the tests have started too many processes of functions */
  stop: () => Promise<void>;
}

/**
 * Starts the stack of the tests on free ports, so that they run beside a developer's own.
 * With HEARTH_OFFICIAL=1 it is Google's emulators, which need Java and their downloads.
 */
export async function startTestStack(): Promise<TestStack> {
  // Without a handler a signal would end this process before it could end the stack.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const log = createWriteStream(LOG_FILE);
  const { failed, stop, ...info } = await startStack({
    projectId: 'demo-hearth-test',
    ports: 'free',
    ...TEST_STACK_SETTINGS,
    functions: TEST_FUNCTIONS,
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

/** Events, or too many concurrent requests, would start processes until the memory is full. */
function assertFew(count: number): void {
  if (count <= MOST_FUNCTION_PROCESSES) return;
  throw new Error(`The tests started ${count} processes of functions, more than ${MOST_FUNCTION_PROCESSES}.`);
}
