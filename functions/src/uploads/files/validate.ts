import { acceptedExtensions } from '@hearth/shared/file-kinds';
import { refuse } from '../../refusals.ts';
import { cleanFileName, type FileName } from './file-name.ts';
import { agrees, kindOf, type Acceptance, type Kind } from './kinds.ts';
import { matchesKind } from './signature.ts';

/** What a sender says of a file. */
export interface Claimed {
  name: string;
  declaredType: string;
  /** How the bytes are said to be packed. */
  contentEncoding?: string;
  /** Bytes. */
  size: number;
}

export interface Judged {
  name: FileName;
  kind: Kind;
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1 */
const NOT_PACKED: ReadonlySet<string> = new Set(['', 'identity']);

/**
 * Judges what is said of a file: its name, the media type that was declared with it, and its size. Packed bytes are not
 * accepted: whoever reads them gets more than their size says, without bound.
 *
 * @throws Refusal 400 without a usable name or bytes, 413, 415 for a kind that is not accepted or declared as another, or packed
 */
export function judgeClaim(
  { name: raw, declaredType, contentEncoding = '', size }: Claimed,
  acceptance: Acceptance,
): Judged {
  if (!NOT_PACKED.has(contentEncoding)) {
    throw refuse('unsupported_media_type', { reason: 'A file with a content encoding is not accepted.' });
  }
  const name = cleanFileName(raw);
  if (name === undefined) throw refuse('file_name_unusable');
  const kind = kindOf(name.extension, acceptance);
  if (kind === undefined) {
    const accepted = acceptedExtensions(acceptance).join(', ');
    throw refuse('unsupported_media_type', {
      reason: `This type of file is not accepted. Accepted: ${accepted}.`,
    });
  }
  if (!agrees(declaredType, kind)) {
    throw refuse('unsupported_media_type', {
      reason: `The file is declared as another type than its extension .${name.extension} says.`,
    });
  }
  if (size === 0) throw refuse('empty_file');
  if (size > kind.maxBytes) {
    throw refuse('payload_too_large', {
      reason: `Files of this type may have ${kind.maxBytes} bytes at most.`,
    });
  }
  return { name, kind };
}

/**
 * Judges a file's bytes, of which the head is enough for kinds that `isToldByItsHead`.
 *
 * @throws Refusal 415 for bytes that are not what the extension says
 */
export async function judgeBytes(bytes: Buffer, { name, kind }: Judged): Promise<void> {
  if (await matchesKind(bytes, kind)) return;
  throw refuse('unsupported_media_type', {
    reason: `The file is not what its extension .${name.extension} says.`,
  });
}
