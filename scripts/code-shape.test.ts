import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measureShape } from './code-shape.ts';
import { ROOT } from './paths.ts';

test.each(measureShape(join(ROOT, 'functions/src')))(
  'there are at most $limit $name',
  ({ limit, places }) => {
    expect(places.slice(limit)).toEqual([]);
  },
);
