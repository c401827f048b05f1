import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished, expect, test } from 'vitest';
import { countFunctionProcesses } from '../../scripts/function-processes.ts';

test('processes of functions are counted if this process started them, also through another one', async () => {
  expect(countFunctionProcesses()).toBe(0);
  // Only the inner process has the name of the runtime. It waits for input without another process: a process that it
  // forks would have the same command line at first.
  const emulator = spawn('sh', ['-c', 'sh -c "echo started; read line; : $RUNTIME"; :'], {
    env: { ...process.env, RUNTIME: 'functionsEmulatorRuntime' },
  });
  onTestFinished(() => void emulator.kill());
  await once(emulator.stdout, 'data');
  expect(countFunctionProcesses()).toBe(1);
});
