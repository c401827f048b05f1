const PLAIN = /[^'"\\\n\r]+/y;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-3]?[0-7]{1,2})|([bfnrt'"\\]))/y;
const NAMED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Reads the quoted string that starts at an offset; undefined when it does not end on its line or has an escape that
 * the language does not know (such as `\/`). A regular expression's `\d` is therefore written `'\\d'`.
 */
export function readStringLiteral(source: string, start: number): { value: string; end: number } | undefined {
  const quote = source.charAt(start);
  let offset = start + 1;
  let value = '';
  while (offset < source.length) {
    const char = source.charAt(offset);
    if (char === quote) return { value, end: offset + 1 };
    const part = char === '\\' ? readEscape(source, offset) : readPlain(source, offset);
    if (part === undefined) return undefined;
    value += part.value;
    offset = part.end;
  }
  return undefined;
}

function readEscape(source: string, offset: number): { value: string; end: number } | undefined {
  ESCAPE.lastIndex = offset;
  const match = ESCAPE.exec(source);
  if (match === null) return undefined;
  const [text, unicode, hexadecimal, octal, name = ''] = match;
  const end = offset + text.length;
  if (unicode !== undefined) return { value: String.fromCharCode(parseInt(unicode, 16)), end };
  if (hexadecimal !== undefined) return { value: String.fromCharCode(parseInt(hexadecimal, 16)), end };
  if (octal !== undefined) return { value: String.fromCharCode(parseInt(octal, 8)), end };
  return { value: NAMED[name] ?? name, end };
}

function readPlain(source: string, offset: number): { value: string; end: number } | undefined {
  const char = source.charAt(offset);
  // The quote that does not delimit this string.
  if (char === "'" || char === '"') return { value: char, end: offset + 1 };
  PLAIN.lastIndex = offset;
  const text = PLAIN.exec(source)?.[0];
  return text === undefined ? undefined : { value: text, end: offset + text.length };
}
