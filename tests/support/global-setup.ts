import type { TestProject } from 'vitest/node';
import type { StackInfo } from '../../scripts/stack.ts';
import { startTestStack, type TestStack } from './test-stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The running stack: `inject('stack')`. */
    stack: StackInfo;
  }
}

/** Names a stack that runs already, as JSON of its `StackInfo`. */
export const STACK_VARIABLE = 'HEARTH_TEST_STACK';

/**
 * Each project of vitest.config.ts loads this file for itself, in the same process: they share one stack by this name.
 */
const shared = globalThis as { hearthTestStack?: { users: number; stack: Promise<TestStack> } };

/** Starts one stack for all projects that need one, and stops it after the last of them. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const used = (shared.hearthTestStack ??= { users: 0, stack: runningStack() ?? startTestStack() });
  used.users += 1;
  const { info, stop } = await used.stack;
  provide('stack', info);
  return async () => {
    used.users -= 1;
    if (used.users === 0) await stop();
  };
}

function runningStack(): Promise<TestStack> | undefined {
  const json = process.env[STACK_VARIABLE];
  if (json === undefined) return undefined;
  return Promise.resolve({ info: JSON.parse(json) as StackInfo, stop: () => Promise.resolve() });
}
