import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendDirectly, type DirectUploadState } from '../client/src/storage.ts';
import { BACKSTOP_MS } from '../scripts/backstop.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { clientOf } from './support/direct-uploads.ts';
import { pngOfSize } from './support/files.ts';
import { signUp } from './support/people.ts';

const BYTES = new Uint8Array(pngOfSize(3_000_000));

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Starts a direct upload that pauses at its first progress. `paused` resolves then. */
async function start(signal?: AbortSignal) {
  const person = await signUp();
  const storage = await clientOf(person);
  const states: DirectUploadState[] = [];
  const waiting = new Map<DirectUploadState, () => void>();
  const file = new File([BYTES], 'photo.png', { type: 'image/png' });
  let last = 0;
  const upload = sendDirectly(storage, person.uid, file, {
    signal,
    visibility: 'private',
    onProgress: (sent) => {
      last = sent;
      // At the first progress, before any byte can have arrived.
      if (states.length === 0) upload.pause();
    },
    onState: (state) => {
      states.push(state);
      waiting.get(state)?.();
    },
  });
  const paused = new Promise<void>((resolve) => waiting.set('paused', resolve));
  const stored = async () => {
    const [files] = await (await app.backend.bucket()).getFiles({ prefix: `uploads/${person.uid}/` });
    return files;
  };
  return { upload, states, paused, stored, progress: () => last };
}

describe('a direct upload of the client', () => {
  test('is paused, and arrives complete when it is resumed', async () => {
    const { upload, states, paused, stored, progress } = await start();
    await paused;
    expect([upload.state, progress(), await stored()]).toEqual(['paused', 0, []]);
    upload.resume();
    expect(upload.state).toBe('running');
    await upload.sent;
    expect([upload.state, states]).toEqual(['sent', ['paused', 'running', 'sent']]);
    const [file] = await stored();
    expect(file?.name.split('/')[2]).toBe(upload.id);
    expect(file?.metadata.metadata).toMatchObject({ visibility: 'private' });
    expect((await file?.download())?.[0].equals(BYTES)).toBe(true);
    upload.cancel();
    expect(upload.state).toBe('sent');
  });

  test.each(['its method', 'the signal'])('is cancelled by %s while it is paused', async (means) => {
    const cancellation = new AbortController();
    const { upload, states, paused, stored } = await start(cancellation.signal);
    await paused;
    if (means === 'the signal') cancellation.abort();
    else upload.cancel();
    await expect(upload.sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(upload.state).toBe('cancelled');
    await expect.poll(() => states, { timeout: BACKSTOP_MS }).toEqual(['paused', 'cancelled']);
    expect(await stored()).toEqual([]);
  });

  test('is not sent when it is cancelled before', async () => {
    const { upload, stored } = await start(AbortSignal.abort());
    await expect(upload.sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(await stored()).toEqual([]);
  });
});
