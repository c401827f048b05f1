import { InvalidParameter, missingParameter, unknownParameters, unsupportedParameter } from '../errors.ts';
import type { FormMap, FormValue } from './form.ts';

/** Reads one parameter out of a decoded form, or throws the InvalidParameter that Stripe would answer. */
export interface Param<T, Required extends boolean = boolean> {
  readonly required: Required;
  /** The parameters within, of an object or of each object of a list. */
  readonly inner?: Table | undefined;
  /** The words that Stripe has for it, built or not. */
  readonly words?: readonly string[] | undefined;
  parse(value: FormValue, name: string): T;
}

/** Names that are taken, and names that Stripe has and the local Stripe refuses. */
export interface Table {
  readonly fields: Fields;
  readonly unsupported: readonly string[];
}

export type Fields = Readonly<Record<string, Param<unknown>>>;

/** The type that `fields()` returns for a table of parameters. A parameter that was not given is left out. */
export type Parsed<F extends Fields> = {
  [K in keyof F as F[K] extends Param<unknown, true> ? K : never]: ValueOf<F[K]>;
} & {
  [K in keyof F as F[K] extends Param<unknown, true> ? never : K]?: ValueOf<F[K]> | undefined;
};

type ValueOf<P> = P extends Param<infer T> ? T : never;

function optional<T>(
  parse: (value: FormValue, name: string) => T,
  { inner, words }: Pick<Param<T>, 'inner' | 'words'> = {},
): Param<T, false> {
  return { required: false, inner, words, parse };
}

export function required<T>(param: Param<T>): Param<T, true> {
  return { ...param, required: true, parse: (value, name) => param.parse(value, name) };
}

/** Text of at least one character: Stripe reads an empty string as an attempt to unset. */
export function text(maxLength = 5000): Param<string, false> {
  return optional((value, name) => {
    if (typeof value !== 'string') throw new InvalidParameter('Invalid string', name);
    if (value === '') {
      throw new InvalidParameter(
        `'${name}' is empty, and it cannot be unset.`,
        name,
        'parameter_invalid_empty',
      );
    }
    if (value.length > maxLength) {
      throw new InvalidParameter(`Invalid string: must be at most ${maxLength} characters`, name);
    }
    return value;
  });
}

/** A parameter that an empty string unsets: null then. */
export function clearable<T>(param: Param<T>): Param<T | null, false> {
  return optional((value, name) => (value === '' ? null : param.parse(value, name)), param);
}

export function integer(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): Param<number, false> {
  return optional((value, name) => {
    const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : NaN;
    if (!Number.isSafeInteger(number)) {
      const shown = typeof value === 'string' ? value : 'object';
      throw new InvalidParameter(`Invalid integer: ${shown}`, name, 'parameter_invalid_integer');
    }
    if (number < min || number > max) {
      throw new InvalidParameter(`Invalid integer: ${name} must be from ${min} to ${max}`, name);
    }
    return number;
  });
}

/** A decimal of at most 12 places that is not negative, as text without zeros at its end. */
export function decimal(): Param<string, false> {
  return optional((value, name) => {
    if (typeof value !== 'string' || !/^\d{1,10}(\.\d{1,12})?$/.test(value)) {
      throw new InvalidParameter(
        `Invalid decimal: ${typeof value === 'string' ? value : 'object'}`,
        name,
        'parameter_invalid_string',
      );
    }
    return value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  });
}

/** More than nothing, and at most a hundred. */
export function percentage(): Param<number, false> {
  return optional((value, name) => {
    const number = typeof value === 'string' && /^\d{1,3}(\.\d{1,2})?$/.test(value) ? Number(value) : NaN;
    if (!(number > 0 && number <= 100)) {
      throw new InvalidParameter(`Invalid decimal: ${name} must be more than 0 and at most 100`, name);
    }
    return number;
  });
}

export function flag(): Param<boolean, false> {
  return optional((value, name) => {
    if (value === 'true') return true;
    if (value === 'false') return false;
    throw new InvalidParameter(`Invalid boolean: ${typeof value === 'string' ? value : 'object'}`, name);
  });
}

export function oneOf<const T extends string>(...choices: T[]): Param<T, false> {
  return optional(
    (value, name) => {
      const chosen = choices.find((choice) => choice === value);
      if (chosen === undefined) {
        throw new InvalidParameter(`Invalid ${name}: must be one of ${choices.join(', ')}`, name);
      }
      return chosen;
    },
    { words: choices },
  );
}

/** One of the words that are built; Stripe's other ones are refused as unsupported. */
export function builtOf<const T extends string>(
  built: readonly T[],
  unbuilt: readonly string[],
): Param<T, false> {
  const known = oneOf(...built);
  return optional(
    (value, name) => {
      if (typeof value === 'string' && unbuilt.includes(value))
        throw unsupportedParameter(`${name}=${value}`);
      return known.parse(value, name);
    },
    { words: [...built, ...unbuilt] },
  );
}

/** An absolute http(s) URL of at most 5,000 characters. It may contain `{CHECKOUT_SESSION_ID}`. */
export function webUrl(): Param<string, false> {
  return optional((value, name) => {
    const url = typeof value === 'string' ? URL.parse(value) : null;
    if (typeof value !== 'string' || !url || !['http:', 'https:'].includes(url.protocol)) {
      throw new InvalidParameter('Not a valid URL', name, 'url_invalid');
    }
    if (value.length > 5000) {
      throw new InvalidParameter('Invalid URL: URL must be 5000 characters or less.', name);
    }
    return value;
  });
}

export function list<T>(item: Param<T>, maxLength = 100): Param<T[], false> {
  return optional((value, name) => {
    if (typeof value === 'string') throw new InvalidParameter('Invalid array', name);
    const indices = [...value.keys()].map(Number).sort((a, b) => a - b);
    if (!indices.every((index, position) => index === position))
      throw new InvalidParameter('Invalid array', name);
    if (indices.length > maxLength)
      throw new InvalidParameter(`At most ${maxLength} entries are allowed`, name);
    return indices.map((index) => item.parse(value.get(String(index)) ?? '', `${name}[${index}]`));
  }, item);
}

export function shape<F extends Fields>(
  table: F,
  unsupported: readonly string[] = [],
): Param<Parsed<F>, false> {
  return optional(
    (value, name) => {
      if (typeof value === 'string') throw new InvalidParameter('Invalid object', name);
      return fields(table, value, unsupported, name);
    },
    { inner: { fields: table, unsupported } },
  );
}

/** An object whose names the caller chooses. */
export function mapOf<T>(entry: Param<T>): Param<ReadonlyMap<string, T>, false> {
  return optional((value, name) => {
    if (typeof value === 'string') throw new InvalidParameter('Invalid object', name);
    return new Map([...value].map(([key, given]) => [key, entry.parse(given, `${name}[${key}]`)]));
  });
}

/**
 * Key-value pairs within Stripe's limits (https://docs.stripe.com/api/metadata); an empty value removes its key, see
 * `mergeMetadata`.
 */
export function metadata(): Param<ReadonlyMap<string, string>, false> {
  return optional((value, name) => {
    if (typeof value === 'string') throw new InvalidParameter('Invalid object', name);
    if (value.size > 50) throw new InvalidParameter('Metadata can have up to 50 keys', name);
    return new Map([...value].map(([key, entry]) => [key, metadataEntry(key, entry, `${name}[${key}]`)]));
  });
}

function metadataEntry(key: string, value: FormValue, name: string): string {
  if (typeof value !== 'string') throw new InvalidParameter('Metadata values must be strings', name);
  if (key.length > 40) throw new InvalidParameter('Metadata keys can have up to 40 characters', name);
  if (value.length > 500) throw new InvalidParameter('Metadata values can have up to 500 characters', name);
  return value;
}

/** A bound on a time in seconds: `created=5` or `created[gte]=5`, as a predicate. */
export function timeRange(): Param<(seconds: number) => boolean, false> {
  const bounds = shape({ gt: integer(), gte: integer(), lt: integer(), lte: integer() });
  return optional((value, name) => {
    if (typeof value === 'string') {
      const exact = integer().parse(value, name);
      return (seconds: number) => seconds === exact;
    }
    const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = bounds.parse(value, name);
    return (seconds: number) => seconds > gt && seconds >= gte && seconds < lt && seconds <= lte;
  }, bounds);
}

/** A list of names, separated by white space. */
export function names(separated: string): string[] {
  return separated.trim().split(/\s+/);
}

/**
 * Reads a whole table of parameters; everything that is not in the table is an error.
 * @param unsupported names that Stripe has and the local Stripe does not: refused with a message that says so
 */
export function fields<F extends Fields>(
  table: F,
  form: FormMap,
  unsupported: readonly string[] = [],
  prefix?: string,
): Parsed<F> {
  const named = (key: string): string => (prefix === undefined ? key : `${prefix}[${key}]`);
  const strangers = [...form.keys()].filter((key) => !Object.hasOwn(table, key));
  const known = strangers.find((key) => unsupported.includes(key));
  if (known !== undefined) throw unsupportedParameter(named(known));
  if (strangers.length > 0) throw unknownParameters(strangers.map(named));

  const parsed = Object.entries(table).flatMap(([key, param]) => {
    const value = form.get(key);
    if (value === undefined && param.required) throw missingParameter(named(key));
    return value === undefined ? [] : [[key, param.parse(value, named(key))] as const];
  });
  return Object.fromEntries(parsed) as Parsed<F>;
}
