import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { uploadSchema } from '../../firestore/documents/upload.ts';
import {
  newUploadId,
  newUploadRecord,
  objectPathsOf,
  refusalExpiry,
  uploadIdSchema,
} from './upload-record.ts';

const NOW = new Date(1_700_000_000_000);

const given = {
  ownerId: 'team',
  createdBy: 'uid',
  name: 'a.png',
  contentType: 'image/png',
  size: 3,
  path: 'uploads/team/id/a-1700000000000.png',
  source: 'api',
  createdAt: NOW,
} as const;

test('a new record is pending, and has every field of the schema', () => {
  const record = newUploadRecord(given);
  expect(record).toEqual({
    ...given,
    generation: null,
    md5Hash: null,
    visibility: 'public',
    status: 'pending',
    reason: null,
    url: null,
    dimensions: null,
    variants: [],
    possibleVariants: [],
    deleteAt: null,
  });
  expect(Object.keys(record).sort()).toEqual(Object.keys(uploadSchema.shape).sort());
  expect(uploadSchema.parse(record)).toEqual(record);
});

test('a new record has the optional fields that are given', () => {
  const optional = {
    generation: '7',
    md5Hash: 'abc',
    visibility: 'private',
    dimensions: { width: 1, height: 2 },
    deleteAt: NOW,
  } as const;
  expect(newUploadRecord({ ...given, ...optional })).toMatchObject(optional);
});

test('the objects of an upload are the file and its variants, stored or planned', () => {
  const variant = { width: 1, height: 1, path: 'b', url: '', size: 1 };
  const upload = { path: 'a', variants: [variant], possibleVariants: ['c'] };
  expect(objectPathsOf(upload)).toEqual(['a', 'b', 'c']);
});

test('a refusal is shown for a day', () => {
  expect(refusalExpiry(NOW).getTime() - NOW.getTime()).toBe(86_400_000);
});

describe('the id of a new upload', () => {
  test('is different each time, and valid', () => {
    const ids = Array.from({ length: 100 }, newUploadId);
    expect(new Set(ids).size).toBe(100);
    for (const id of ids) expect(uploadIdSchema.safeParse(id).success).toBe(true);
  });

  test('repeats no part of an id from another process with the same pseudorandom numbers', async () => {
    const module = JSON.stringify(join(import.meta.dirname, 'upload-record.ts'));
    const program = `import { newUploadId } from ${module}; console.log(newUploadId());`;
    const run = () =>
      promisify(execFile)(process.execPath, ['--random-seed=1', '--input-type=module', '-e', program]);
    const [first, second] = (await Promise.all([run(), run()])).map(({ stdout }) => stdout.trim());
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toMatch(/^[0-9a-f]{32}$/);
    // A counter, a clock or a seeded generator repeats a part of the id.
    for (let start = 0; start + 8 <= 32; start++)
      expect(second).not.toContain(first?.slice(start, start + 8));
  });
});
