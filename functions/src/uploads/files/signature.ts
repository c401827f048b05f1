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

/**
 * Looks at the bytes where they are: decoding them would take as much memory again, or twice. A zero byte is by what
 * tools such as grep and git tell data from text.
 */
function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
