import { getApps, initializeApp } from 'firebase-admin/app';
import { getStorage } from 'firebase-admin/storage';
import { expect, inject } from 'vitest';
import { serveApp } from '../../support/app.ts';
import { eventOf, receive } from '../../support/direct-uploads.ts';
import { adminAuth } from '../../support/people.ts';

/**
 * Does once what the trigger does with a file that a page has sent straight to Storage: in the stack of the tests no
 * triggers run.
 *
 * @param email of who sends it
 * @param stem how its name begins
 */
export async function judgeWhatArrives(email: string, stem: string): Promise<void> {
  const { uid } = await adminAuth().getUserByEmail(email);
  // The bucket that Hosting tells the pages.
  const bucket = getStorage(getApps()[0] ?? initializeApp()).bucket(
    `${inject('stack').projectId}.appspot.com`,
  );
  await using app = await serveApp({ services: { bucket: () => Promise.resolve(bucket) } });
  let path = '';
  await expect
    .poll(
      async () => {
        const [files] = await bucket.getFiles({ prefix: `uploads/${uid}/` });
        path = files.map(({ name }) => name).find((name) => name.split('/').at(-1)?.startsWith(stem)) ?? '';
        return path;
      },
      { timeout: 15_000 },
    )
    .not.toBe('');
  await receive(app, await eventOf(app, path));
}
