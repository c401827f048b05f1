import { invalidArgument } from '../../errors.ts';
import type { Value } from '../../model/value.ts';
import type { Result } from '../row.ts';

/** A string as its code points, or bytes. */
export interface Sequence {
  readonly units: readonly (string | number)[];
  readonly isText: boolean;
  /** A value of the same type. */
  readonly join: (units: readonly (string | number)[]) => Value;
}

/** Throws INVALID_ARGUMENT for a value that is neither, or of another type than `like`. */
export function sequence(value: Result, like?: Sequence): Sequence {
  const isText = typeof value === 'string';
  if (!isText && !(value instanceof Uint8Array)) throw invalidArgument('A string or bytes are needed.');
  if (like && like.isText !== isText) throw invalidArgument('Strings and bytes cannot be combined.');
  return isText
    ? { units: codePoints(value), isText, join: (units) => units.join('') }
    : { units: [...value], isText, join: (units) => Buffer.from(units.map(Number)) };
}

export const codePoints = (text: string): string[] => Array.from(text);
