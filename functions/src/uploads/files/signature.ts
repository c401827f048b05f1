import { isUtf8 } from 'node:buffer';
import { KINDS, type Kind } from './kinds.ts';

/**
 * Bytes at the start of a file that identify its kind, if `isIdentifiedByHead` is true. They also contain the
 * width and height of a picture, even behind long camera metadata.
 */
export const HEAD_BYTES = 256 * 1024;

/**
 * If `file-type` detects one of these types, the file is not text. Media kinds are left out, because `file-type`
 * detects some of them in plain text: "free" at the fifth byte means QuickTime.
 */
const NEVER_TEXT = new Set<string | undefined>(
  [...KINDS.values()].flatMap(({ category, signature }) =>
    category === 'media' || signature === 'text' ? [] : signature.detectedAs,
  ),
);

/** True if the bytes are of this kind. If `isIdentifiedByHead` is true, the first HEAD_BYTES are enough. */
export async function bytesFitKind(bytes: Buffer, { signature }: Kind): Promise<boolean> {
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = (await fileTypeFromBuffer(bytes))?.mime;
  // Text may be detected as a kind that we do not accept: a text that begins with "BM" as a bitmap.
  if (signature === 'text') return !NEVER_TEXT.has(detected) && isText(bytes);
  if (detected === undefined || !signature.detectedAs.includes(detected)) return false;
  return signature.containing === undefined || bytes.includes(signature.containing);
}

/**
 * True for valid UTF-8 without a zero byte: grep and git recognize binary files by a zero byte. Decodes nothing, to
 * save memory.
 */
function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
