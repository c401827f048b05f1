import type { BinaryOperator } from '../ast.ts';
import { expectType, itemsOf, textOf, wrongType } from '../builtins/arguments.ts';
import { checkedInt } from '../builtins/convert.ts';
import { checkedDuration, checkedTimestamp } from '../builtins/time.ts';
import { canonicalKey, compare, equals } from '../equality.ts';
import { EvaluationError, nullValue, undetermined, unsupported } from '../errors.ts';
import { decide, mirrored } from '../queries/facts.ts';
import { bool, float, string, type Bound, type Value } from '../value.ts';

/** Beyond it a concatenation is an evaluation error, so that no rule can fill the memory. */
const MAX_TEXT_LENGTH = 10_000_000;

export type StrictOperator = Exclude<BinaryOperator, '&&' | '||'>;

/** Applies an operator to both values; throws an EvaluationError where the language does not define it. */
export function applyOperator(operator: StrictOperator, left: Value, right: Value): Value {
  switch (operator) {
    case '==':
    case '!=':
      return bool(areEqual(left, right) === (operator === '=='));
    case '<':
    case '<=':
    case '>':
    case '>=':
      return bool(isOrdered(operator, left, right));
    case 'in':
      return bool(isIn(left, right));
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return calculate(operator, left, right);
  }
}

/** `!value` or `-value` */
export function applyUnary(operator: '!' | '-', value: Value): Value {
  if (operator === '!') return bool(!expectType(value, 'bool').value);
  const number = expectType(value, 'int', 'float');
  return number.type === 'int' ? checkedInt(-number.value) : float(-number.value);
}

function areEqual(left: Value, right: Value): boolean {
  if (left.type === 'unknown' || right.type === 'unknown') return compareUnknown('==', left, right);
  if (left.type === 'partialMap' || right.type === 'partialMap') {
    const other = left.type === 'partialMap' ? right : left;
    if (other.type === 'map' || other.type === 'partialMap')
      throw undetermined('whether these maps are equal');
    return false;
  }
  return equals(left, right);
}

function isOrdered(operator: '<' | '<=' | '>' | '>=', left: Value, right: Value): boolean {
  if (left.type === 'unknown' || right.type === 'unknown') return compareUnknown(operator, left, right);
  const order = compare(left, right);
  if (order === undefined) throw incompatible(operator, left, right);
  if (Number.isNaN(order)) return false;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

function compareUnknown(op: Bound['op'], left: Value, right: Value): boolean {
  if (left.type === 'unknown' && right.type === 'unknown') throw undetermined('these values');
  const answer =
    left.type === 'unknown'
      ? decide(left, op, right)
      : right.type === 'unknown'
        ? decide(right, mirrored(op), left)
        : undefined;
  if (answer === undefined) throw undetermined('this comparison');
  return answer;
}

function isIn(item: Value, collection: Value): boolean {
  switch (collection.type) {
    case 'list':
    case 'set':
      if (item.type === 'unknown') return isUnknownIn(item, [...itemsOf(collection).values()]);
      return itemsOf(collection).has(canonicalKey(item));
    case 'map':
      return collection.entries.has(textOf(item));
    case 'partialMap':
      if (!collection.known.has(textOf(item))) throw undetermined('whether this field exists');
      return true;
    case 'unknown': {
      const key = canonicalKey(item);
      if (!collection.contains.some((known) => canonicalKey(known) === key)) {
        throw undetermined('the items of this list');
      }
      return true;
    }
    case 'null':
      throw nullValue();
    default:
      throw unsupported(`${collection.type}.in(${item.type})`, 'list, map or set');
  }
}

function isUnknownIn(item: Extract<Value, { type: 'unknown' }>, values: readonly Value[]): boolean {
  const answers = values.map((value) => {
    const equal = decide(item, '==', value);
    // An item of a list has a type, which does not follow from a query: 1.0 is not in [1].
    return equal === true && isNumber(value) ? undefined : equal;
  });
  if (answers.includes(true)) return true;
  if (answers.includes(undefined)) throw undetermined('whether this value is in the list');
  return false;
}

function calculate(operator: '+' | '-' | '*' | '/' | '%', left: Value, right: Value): Value {
  if (left.type === 'int' && right.type === 'int') return calculateInts(operator, left.value, right.value);
  if (isNumber(left) && isNumber(right)) {
    return float(calculateFloats(operator, Number(left.value), Number(right.value)));
  }
  const result = operator === '+' ? add(left, right) : operator === '-' ? subtract(left, right) : undefined;
  if (result === undefined) throw incompatible(operator, left, right);
  return result;
}

function calculateInts(operator: string, left: bigint, right: bigint): Value {
  if ((operator === '/' || operator === '%') && right === 0n)
    throw new EvaluationError('Divide by zero error.');
  switch (operator) {
    case '+':
      return checkedInt(left + right);
    case '-':
      return checkedInt(left - right);
    case '*':
      return checkedInt(left * right);
    case '/':
      return checkedInt(left / right);
    default:
      return checkedInt(left % right);
  }
}

function calculateFloats(operator: string, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    default:
      return left % right;
  }
}

function add(left: Value, right: Value): Value | undefined {
  if (left.type === 'string' && right.type === 'string') {
    if (left.value.length + right.value.length > MAX_TEXT_LENGTH)
      throw new EvaluationError('String too long.');
    return string(left.value + right.value);
  }
  if (left.type === 'duration' && right.type === 'duration') return checkedDuration(left.nanos + right.nanos);
  if (left.type === 'timestamp' && right.type === 'duration')
    return checkedTimestamp(left.nanos + right.nanos);
  if (left.type === 'duration' && right.type === 'timestamp')
    return checkedTimestamp(left.nanos + right.nanos);
  return undefined;
}

function subtract(left: Value, right: Value): Value | undefined {
  if (left.type === 'duration' && right.type === 'duration') return checkedDuration(left.nanos - right.nanos);
  if (left.type === 'timestamp' && right.type === 'duration')
    return checkedTimestamp(left.nanos - right.nanos);
  if (left.type === 'timestamp' && right.type === 'timestamp')
    return checkedDuration(left.nanos - right.nanos);
  return undefined;
}

function isNumber(value: Value): value is Extract<Value, { type: 'int' | 'float' }> {
  return value.type === 'int' || value.type === 'float';
}

function incompatible(operator: string, left: Value, right: Value): EvaluationError {
  for (const value of [left, right]) {
    if (value.type === 'null' || value.type === 'unknown' || value.type === 'partialMap') {
      return wrongType(value, 'value');
    }
  }
  return unsupported(`${left.type} ${operator} ${right.type}`, 'values that the operator takes');
}
