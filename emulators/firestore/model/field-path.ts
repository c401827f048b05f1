import { invalidArgument } from '../errors.ts';
import { isMap } from './value.ts';
import type { MapValue, Value } from './value.ts';

export type FieldPath = readonly string[];

const SEGMENT = /(?:`((?:[^`\\]|\\.)+)`|([a-zA-Z_][a-zA-Z_0-9]*))(\.|$)/sy;

const SYNTAX =
  'Unquoted property paths must match regex ([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex ' +
  '(`(?:[^`\\\\]|(?:\\\\.))+`)';

/**
 * Parses a field path such as `` address.`zip code` ``: segments joined by dots, other than simple names in backticks
 * with backslash escapes. Throws INVALID_ARGUMENT.
 */
export function parseFieldPath(text: string): FieldPath {
  if (text === '') throw invalidArgument('Invalid empty property path string.');
  const segments: string[] = [];
  SEGMENT.lastIndex = 0;
  for (let open = true; open;) {
    const match = SEGMENT.exec(text);
    if (!match) throw invalidArgument(`Invalid property path "${text}". ${SYNTAX}`);
    segments.push(match[1] === undefined ? (match[2] ?? '') : match[1].replace(/\\(.)/gs, '$1'));
    open = match[3] === '.';
  }
  return segments;
}

/** The text that parses back to the same path. */
export const formatFieldPath = (path: FieldPath): string =>
  path
    .map((segment) => (/^[A-Za-z_]\w*$/.test(segment) ? segment : `\`${segment.replace(/[\\`]/g, '\\$&')}\``))
    .join('.');

export function getField(fields: MapValue, path: FieldPath): Value | undefined {
  let value: Value | undefined = fields;
  for (const segment of path) {
    if (!isMap(value)) return undefined;
    value = value.get(segment);
  }
  return value;
}

/** A copy of the map with the field set. A value on the way that is not a map is replaced. */
export function withField(fields: MapValue, path: FieldPath, value: Value): MapValue {
  const [head, ...rest] = path;
  if (head === undefined) return fields;
  const copy = new Map(fields);
  const child = fields.get(head);
  copy.set(head, rest.length === 0 ? value : withField(isMap(child) ? child : new Map(), rest, value));
  return copy;
}

/** A copy of the map without the field; emptied maps stay, as in production. */
export function withoutField(fields: MapValue, path: FieldPath): MapValue {
  const [head, ...rest] = path;
  const child = head === undefined ? undefined : fields.get(head);
  if (head === undefined || child === undefined) return fields;
  if (rest.length > 0 && !isMap(child)) return fields;
  const copy = new Map(fields);
  if (rest.length === 0 || !isMap(child)) copy.delete(head);
  else copy.set(head, withoutField(child, rest));
  return copy;
}

/** Only the fields that the paths name. */
export function projectFields(fields: MapValue, paths: readonly FieldPath[]): MapValue {
  let projected: MapValue = new Map();
  for (const path of paths) {
    const value = getField(fields, path);
    if (value !== undefined) projected = withField(projected, path, value);
  }
  return projected;
}
