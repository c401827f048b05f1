import { describe, expect, test } from 'vitest';
import { GoogleError, type Google } from './setup/google.ts';
import { findBucket } from './storage-bucket.ts';

const CLOUD = 'projects/acme-1/buckets/acme-1.appspot.com';

/** A Google that answers each question with this. */
const googleWith = (answer: () => Promise<unknown>) => () => ({ get: answer as Google['get'] });

const nobody = googleWith(() => Promise.reject(new Error('Google was asked.')));

describe('the bucket', () => {
  test('is the default bucket of the project, whatever its name', async () => {
    const asked: string[] = [];
    const get = (path: string) => {
      asked.push(path);
      return Promise.resolve({ bucket: { name: CLOUD } });
    };
    const google = () => ({ get: get as Google['get'] });
    expect(await findBucket('acme-1', { environment: {}, google })).toBe('acme-1.appspot.com');
    expect(asked).toEqual(['firebasestorage.googleapis.com/v1alpha/projects/acme-1/defaultBucket']);
  });

  test.each([
    ['the emulators', { FIREBASE_STORAGE_EMULATOR_HOST: '127.0.0.1:9199' }, 'acme-1.appspot.com'],
    ['FIREBASE_CONFIG', { FIREBASE_CONFIG: '{"storageBucket":"acme-files"}' }, 'acme-files'],
  ])('the bucket of %s is known without Google', async (_what, environment, expected) => {
    expect(await findBucket('acme-1', { environment, google: nobody })).toBe(expected);
  });

  test.each([
    ['is missing', new GoogleError(404, 'Not found'), 'acme-1 has no default bucket. Name the bucket'],
    ['may not be asked for', new GoogleError(403, 'No permission'), /No permission\nName the bucket/],
  ])('that %s must be named', async (_what, error, message) => {
    const google = googleWith(() => Promise.reject(error));
    await expect(findBucket('acme-1', { environment: {}, google })).rejects.toThrow(message);
  });
});
