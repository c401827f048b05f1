import { getApps, initializeApp } from 'firebase-admin/app';
import { getStorage } from 'firebase-admin/storage';
import type { Page, Response } from 'playwright-core';
import { inject } from 'vitest';
import { eventOf, finalize } from '../../support/direct-uploads.ts';
import { inProcessBackend } from './in-process-backend.ts';

/**
 * Waits until the page has sent the next file straight to Storage, then handles it once as the trigger does, because
 * the stack of the tests runs no triggers. Call it before the file is sent.
 */
export async function receiveNextFile(page: Page): Promise<void> {
  const response = await page.waitForResponse(isLastPart);
  const { name } = (await response.json()) as { name: string };
  const real = inProcessBackend();
  // The bucket in the settings that Hosting serves.
  const bucket = getStorage(getApps()[0] ?? initializeApp()).bucket(
    `${inject('stack').projectId}.appspot.com`,
  );
  const backend = { ...real, bucket: () => Promise.resolve(bucket) };
  await finalize({ backend }, await eventOf({ backend }, name));
}

/** Whether Storage has taken the whole of a resumable upload. */
function isLastPart(response: Response): boolean {
  const command = response.request().headers()['x-goog-upload-command'] ?? '';
  return command.includes('finalize') && response.ok();
}
