import { describe, expect, test } from 'vitest';
import { float, unknown, type Bound } from '../value.ts';
import { decide, mirrored } from './facts.ts';

const OPERATORS = ['==', '!=', '<', '<=', '>', '>='] as const;
/** Finer than the limits asked about, so that there is always a value between two of them and beyond them. */
const GRID = [-0.5, 0, 0.5, 1, 1.5, 2, 2.5];
const LIMITS = [0, 1, 2];

const holds = (left: number, op: Bound['op'], right: number): boolean =>
  ({
    '==': left === right,
    '!=': left !== right,
    '<': left < right,
    '<=': left <= right,
    '>': left > right,
    '>=': left >= right,
  })[op];

describe('the result of a comparison by the filters of a query', () => {
  test.each(OPERATORS.flatMap((filter) => OPERATORS.map((op) => [filter, op] as const)))(
    'where x %s a: x %s b has the result that all admitted values have',
    (filter, op) => {
      for (const bound of LIMITS) {
        const value = unknown({ types: ['int', 'float'], bounds: [{ op: filter, value: float(bound) }] });
        for (const limit of LIMITS) {
          const answers = new Set(
            GRID.filter((admitted) => holds(admitted, filter, bound)).map((admitted) =>
              holds(admitted, op, limit),
            ),
          );
          const [answer] = answers;
          expect(decide(value, op, float(limit))).toBe(answers.size === 1 ? answer : undefined);
        }
      }
    },
  );

  test.each(OPERATORS)('x %s b has the same result with its sides exchanged', (op) => {
    for (const left of LIMITS) {
      for (const right of LIMITS) expect(holds(right, mirrored(op), left)).toBe(holds(left, op, right));
    }
  });
});
