import { undetermined } from '../errors.ts';
import type { Value } from '../value.ts';

/** Type names that `is` accepts. `null` is not a type. `set` never matches, as in the official runtime. */
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'duration',
  'float',
  'int',
  'latlng',
  'list',
  'map',
  'number',
  'path',
  'set',
  'string',
  'timestamp',
]);

/** `value is typeName`; throws an EvaluationError when a query leaves the type open. */
export function isOfType(value: Value, typeName: string): boolean {
  switch (value.type) {
    case 'unknown': {
      const answers = new Set(value.types.map((type) => isNamed(type, typeName)));
      const [answer] = answers;
      if (answers.size !== 1 || answer === undefined) throw undetermined('the type of this value');
      return answer;
    }
    case 'partialMap':
      return typeName === 'map';
    case 'set':
    case 'mapDiff':
      return false;
    default:
      return isNamed(value.type, typeName);
  }
}

function isNamed(type: string, typeName: string): boolean {
  return type === typeName || (typeName === 'number' && (type === 'int' || type === 'float'));
}
