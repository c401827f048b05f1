import { readFileSync } from 'node:fs';
import { ask, mustLoad } from '@hearth/security-rules/testing';
import { bool, int, map, NULL, string } from '@hearth/security-rules/value';
import { describe, expect, test } from 'vitest';
import { CONTENT_TYPES } from '../../client/src/generated/content-types.ts';
import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { planListSchema } from '../../functions/src/settings/plans.ts';
import { KINDS_WITH_SIGNATURE, typeFitsKind } from '../../functions/src/uploads/files/kinds.ts';
import { STORAGE_RULES_FILE, withFileLimits } from '../../scripts/plan-tables.ts';

const limits = { seats: 1, storageMegabytes: 2000, fileMegabytes: 2000 };
const plans = planListSchema.parse([{ slug: 'free', name: 'Free', description: 'Free', limits }]);

/** The rules of Storage, evaluated directly, so that no file of a gigabyte must be sent. The plan allows every size. */
const rules = mustLoad(
  withFileLimits(readFileSync(STORAGE_RULES_FILE, 'utf8'), { plans, extras: extrasSchema.parse({}) }),
);

async function accepts(extension: string, contentType: string, size: number): Promise<boolean> {
  const { allowed } = await ask(rules, {
    service: 'firebase.storage',
    method: 'create',
    path: ['b', 'bucket', 'o', 'uploads', 'ada', 'a'.repeat(32), `file.${extension}`],
    auth: map({ uid: string('ada'), token: map({ email_verified: bool(true) }) }),
    resource: NULL,
    newResource: map({ contentType: string(contentType), size: int(size) }),
  });
  return allowed;
}

const TYPES = [...new Set([...KINDS_WITH_SIGNATURE.values()].map(({ contentType }) => contentType))];

describe.each([...KINDS_WITH_SIGNATURE])('.%s', (extension, kind) => {
  test('is accepted with its content type, and with no other one', async () => {
    for (const type of [...TYPES, 'text/html', 'application/octet-stream', '']) {
      expect(await accepts(extension, type, 1), type).toBe(type === kind.contentType);
      if (await accepts(extension, type, 1)) expect(typeFitsKind(type, kind)).toBe(true);
    }
  });

  test('is accepted with the type that the client declares', async () => {
    expect(await accepts(extension, CONTENT_TYPES[extension] ?? '', 1)).toBe(true);
  });

  test('is accepted up to the size limit of the backend', async () => {
    expect(await accepts(extension, kind.contentType, 0)).toBe(false);
    expect(await accepts(extension, kind.contentType, kind.maxBytes)).toBe(true);
    expect(await accepts(extension, kind.contentType, kind.maxBytes + 1)).toBe(false);
  });
});

test('no other extension is accepted, whatever its declared type', async () => {
  for (const extension of ['html', 'svg', 'exe', 'png.html', 'pngx', '', 'docm']) {
    for (const type of TYPES) expect(await accepts(extension, type, 1), `.${extension} ${type}`).toBe(false);
  }
});
