import { expect, it } from 'vitest';
import { arranged, type Order } from './arrange.ts';
import type { FileDocument } from './queries.ts';

const file = (name: string, size: number, day: number): FileDocument => ({
  id: name,
  name,
  size,
  createdBy: 'ann',
  contentType: 'image/png',
  url: null,
  visibility: 'public',
  variants: [],
  createdAt: new Date(2026, 0, day),
});

const FILES = [file('Plan 10.pdf', 5, 1), file('plan 9.pdf', 7, 3), file('hearth.png', 9, 2)];

it.each<[Order, string[]]>([
  ['newest', ['plan 9.pdf', 'hearth.png', 'Plan 10.pdf']],
  ['name', ['hearth.png', 'plan 9.pdf', 'Plan 10.pdf']],
  ['size', ['hearth.png', 'plan 9.pdf', 'Plan 10.pdf']],
])('files are ordered: %s', (order, names) => {
  expect(arranged(FILES, '', order).map(({ name }) => name)).toEqual(names);
});

it('files are found by a part of the name in any case', () => {
  expect(arranged(FILES, ' PLAN ', 'newest').map(({ name }) => name)).toEqual(['plan 9.pdf', 'Plan 10.pdf']);
});
