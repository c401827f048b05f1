import { isUtf8 } from 'node:buffer';
import { KINDS, type Kind } from './kinds.ts';

/** What tells a kind that is told by its beginning; pictures with much about their camera have their size behind it. */
export const HEAD_BYTES = 256 * 1024;

/** What no text is. Media are not among it: some are told by plain letters, such as "free" after the first four bytes. */
const NO_TEXT = new Set<string | undefined>(
  [...KINDS.values()].flatMap(({ category, signature }) =>
    category === 'media' || signature === 'text' ? [] : signature.detectedAs,
  ),
);

/** Whether the bytes are what the extension says. They may be the head alone of a kind that `isToldByItsHead`. */
export async function matchesKind(bytes: Buffer, { signature }: Kind): Promise<boolean> {
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = (await fileTypeFromBuffer(bytes))?.mime;
  // Of the kinds that are not ours many begin with plain letters: a text about BMW is no BMP picture.
  if (signature === 'text') return !NO_TEXT.has(detected) && isText(bytes);
  if (detected === undefined || !signature.detectedAs.includes(detected)) return false;
  return signature.containing === undefined || bytes.includes(signature.containing);
}

/** Control characters that no text has. No longer character of UTF-8 contains one of these bytes. */
const NO_TEXT_BYTES = [...Array(0x20).keys(), 0x7f].filter(
  (byte) => !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b,
);

/** Looks at the bytes where they are: decoding them would take as much memory again, or twice. */
function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !NO_TEXT_BYTES.some((byte) => bytes.includes(byte));
}
