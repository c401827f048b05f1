import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../paths.ts';
import { MUTATIONS } from './index.ts';
import { mutate } from './mutation.ts';

test.each(MUTATIONS.map((mutation) => [mutation.guard, mutation] as const))(
  'the mutation of "%s" still has its line and its tests',
  (_guard, mutation) => {
    const source = readFileSync(join(ROOT, mutation.file), 'utf8');
    expect(mutate(source, mutation)).not.toBe(source);
    expect(mutation.tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  },
);
