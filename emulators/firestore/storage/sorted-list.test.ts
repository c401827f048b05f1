import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedList } from './sorted-list.ts';

test('behaves as a sorted array without duplicates', () => {
  const operation = fc.record({ add: fc.boolean(), entry: fc.nat({ max: 3_000 }) });
  fc.assert(
    fc.property(
      fc.array(operation, { maxLength: 4_000, size: 'max' }),
      fc.nat({ max: 3_000 }),
      (operations, start) => {
        const list = new SortedList<number>((left, right) => left - right);
        const model = new Set<number>();
        for (const { add, entry } of operations) {
          if (add) list.add(entry);
          else list.delete(entry);
          if (add) model.add(entry);
          else model.delete(entry);
        }
        const sorted = [...model].sort((left, right) => left - right);
        expect([...list.from()]).toEqual(sorted);
        expect([...list.from(start)]).toEqual(sorted.filter((entry) => entry >= start));
        expect(list.size).toBe(sorted.length);
      },
    ),
    { numRuns: 30 },
  );
});
