import { InvalidParameter } from '../errors.ts';

/**
 * A decoded form: text, or a map of names. Arrays are maps with the keys 0, 1, 2 … Maps have no prototype to pollute.
 */
export type FormValue = string | FormMap;
export type FormMap = Map<string, FormValue>;

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const MAX_DEPTH = 10;

/**
 * Decodes `a=1&b[c]=2&d[]=3&e[0][f]=4`, the encoding of Stripe's v1 API (https://docs.stripe.com/api).
 * Strict: malformed, repeated or contradicting names are an InvalidParameter.
 */
export function parseForm(...encoded: string[]): FormMap {
  const root: FormMap = new Map();
  for (const source of encoded) {
    for (const [key, value] of new URLSearchParams(source)) assign(root, path(key), value, key);
  }
  return root;
}

function path(key: string): string[] {
  const match = KEY.exec(key);
  if (!match) throw new InvalidParameter(`Invalid parameter name: ${key}`, key);
  const [, head = '', rest = ''] = match;
  const segments = [head, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, segment = '']) => segment)];
  if (segments.length > MAX_DEPTH) throw new InvalidParameter('Parameters are nested too deeply', head);
  return segments;
}

function assign(map: FormMap, [head = '', ...rest]: string[], value: string, key: string): void {
  const name = head === '' ? String(map.size) : head;
  const existing = map.get(name);
  if (rest.length === 0) {
    if (existing !== undefined) throw new InvalidParameter(`Parameter given twice: ${key}`, key);
    map.set(name, value);
    return;
  }
  if (typeof existing === 'string')
    throw new InvalidParameter(`Parameter is text and object at once: ${key}`, key);
  const child: FormMap = existing ?? new Map<string, FormValue>();
  map.set(name, child);
  assign(child, rest, value, key);
}

/** The form of an object, as the SDK would send it. Properties that are null or undefined are left out. */
export function formOf(value: object): FormMap {
  return new Map(
    Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
      entry === null || entry === undefined ? [] : [[key, formValue(entry)] as const],
    ),
  );
}

function formValue(value: unknown): FormValue {
  return typeof value === 'object' && value !== null ? formOf(value) : String(value);
}
