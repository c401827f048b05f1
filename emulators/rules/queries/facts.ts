import { compare, equals } from '../equality.ts';
import type { Bound, UnknownValue, Value } from '../value.ts';

type Comparison = Bound['op'];

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** The equivalent comparison with exchanged sides. */
export const mirrored = (op: Comparison): Comparison => MIRRORED[op];

/**
 * The result of `unknown op value` for every value that the facts admit: true or false. Undefined when it differs
 * between them or does not follow from the facts.
 */
export function decide(unknown: UnknownValue, op: Comparison, value: Value): boolean | undefined {
  if (op === '!=') {
    const equal = decide(unknown, '==', value);
    return equal === undefined ? undefined : !equal;
  }
  if (op === '==' && isImpossible(unknown, value)) return false;
  for (const bound of unknown.bounds) {
    const answer = decideByBound(bound, op, value);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Whether a type or a bound of the unknown value rules out that it equals this value. */
function isImpossible(unknown: UnknownValue, value: Value): boolean {
  return unknown.types.length > 0 && !unknown.types.includes(value.type);
}

function decideByBound(bound: Bound, op: Exclude<Comparison, '!='>, value: Value): boolean | undefined {
  if (bound.op === '!=') return op === '==' && equals(bound.value, value) ? false : undefined;
  const order = compare(bound.value, value);
  if (order === undefined || Number.isNaN(order)) return undefined;
  switch (bound.op) {
    case '==':
      return holds(order, op);
    case '<':
    case '<=':
      return decideBelow(order, bound.op === '<', op);
    case '>':
    case '>=':
      return decideAbove(order, bound.op === '>', op);
  }
}

function holds(order: number, op: Exclude<Comparison, '!='>): boolean {
  switch (op) {
    case '==':
      return order === 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** The unknown value is at most the bound (less, if strict); `order` is that of the bound to the value. */
function decideBelow(order: number, strict: boolean, op: Comparison): boolean | undefined {
  const below = order < 0 || (order === 0 && strict);
  if (op === '<') return below ? true : undefined;
  if (op === '<=') return order <= 0 ? true : undefined;
  if (op === '>') return order <= 0 ? false : undefined;
  return below ? false : undefined;
}

/** The unknown value is at least the bound (more, if strict). */
function decideAbove(order: number, strict: boolean, op: Comparison): boolean | undefined {
  const above = order > 0 || (order === 0 && strict);
  if (op === '>') return above ? true : undefined;
  if (op === '>=') return order >= 0 ? true : undefined;
  if (op === '<') return order >= 0 ? false : undefined;
  return above ? false : undefined;
}
