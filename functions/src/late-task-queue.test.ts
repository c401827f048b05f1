import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TooLate } from './common/time-limit.ts';
import { loadConfig } from './settings/config.ts';
import { createTaskQueues } from './task-queues.ts';
import { TEST_SETTINGS } from './testing/settings.ts';

test('a call to Cloud Tasks that is never answered fails', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  vi.stubEnv('CLOUD_TASKS_EMULATOR_HOST', `127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const app = initializeApp({ projectId: 'demo-late' }, 'late-task-queue');
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    silent.closeAllConnections();
    silent.close();
    await deleteApp(app);
  });
  const queues = createTaskQueues(
    () => Promise.resolve(app),
    loadConfig(TEST_SETTINGS),
    () => new Date(),
    50,
  );
  await expect(queues.enqueueContactSync('somebody')).rejects.toThrow(TooLate);
});
