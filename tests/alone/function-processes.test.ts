import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished, expect, test } from 'vitest';
import { countFunctionProcesses } from '../../scripts/function-processes.ts';

test('processes of functions are counted if this process started them, also through another one', async () => {
  expect(countFunctionProcesses()).toBe(0);
  const emulator = spawn('sh', ['-c', 'echo started; sleep 600 & wait; : functionsEmulatorRuntime']);
  onTestFinished(() => void emulator.kill());
  await once(emulator.stdout, 'data');
  expect(countFunctionProcesses()).toBe(1);
});
