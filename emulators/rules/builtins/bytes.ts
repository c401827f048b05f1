import { int, string, type BytesValue } from '../value.ts';
import type { MethodTable } from './table.ts';

/**
 * https://firebase.google.com/docs/reference/rules/rules.Bytes. Base64 is the URL-safe alphabet with padding and
 * hexadecimal is in capitals, as the official runtime gives them.
 */
export const bytesMethods: MethodTable<BytesValue> = {
  size: ({ value }) => int(value.length),
  toBase64: ({ value }) =>
    string(Buffer.from(value).toString('base64').replaceAll('+', '-').replaceAll('/', '_')),
  toHexString: ({ value }) => string(Buffer.from(value).toString('hex').toUpperCase()),
};
