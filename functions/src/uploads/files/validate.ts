import { acceptedExtensions } from '@hearth/shared/file-kinds';
import { refusal } from '../../refusals/refusals.ts';
import { cleanFileName, type FileName } from './file-name.ts';
import { fileKindOf, typeFitsKind, type MediaSettings, type FileKindWithSignature } from './kinds.ts';
import { bytesFitKind } from './signature.ts';

/** The sender's statements about a file, which can be false. */
export interface DeclaredFile {
  name: string;
  declaredType: string;
  contentEncoding?: string;
  /** Bytes. */
  size: number;
}

/** The clean name and the kind of a file, whose bytes may not be validated yet. */
export interface NameAndKind {
  fileName: FileName;
  kind: FileKindWithSignature;
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1 */
const NOT_ENCODED: ReadonlySet<string> = new Set(['', 'identity']);

/**
 * Validates the name, content encoding, declared type and size of a file. Encoded bytes are refused, because their
 * decoded size has no bound.
 *
 * @throws Refusal `empty_file`, `file_name_unusable`, `file_encoded`, `unsupported_media_type`, `file_type_mismatch`,
 *   `file_too_large_for_kind`
 */
export function validateDeclaredFile(declared: DeclaredFile, settings: MediaSettings): NameAndKind {
  const { declaredType, contentEncoding = '', size } = declared;
  if (size === 0) throw refusal('empty_file');
  if (!NOT_ENCODED.has(contentEncoding)) throw refusal('file_encoded');
  const fileName = cleanFileName(declared.name);
  if (fileName === undefined) throw refusal('file_name_unusable');
  const kind = acceptedKind(fileName, settings);
  const { extension } = fileName;
  if (!typeFitsKind(declaredType, kind)) throw refusal('file_type_mismatch', { extension });
  if (size > kind.maxBytes) throw refusal('file_too_large_for_kind', { extension, size: kind.maxBytes });
  return { fileName, kind };
}

function acceptedKind({ extension }: FileName, settings: MediaSettings): FileKindWithSignature {
  const kind = fileKindOf(extension, settings);
  if (kind !== undefined) return kind;
  throw refusal('unsupported_media_type', { extensions: acceptedExtensions(settings).join(', ') });
}

/**
 * Validates the bytes of a file against its kind.
 *
 * @param bytes all bytes, or the first HEAD_BYTES if `isIdentifiedByHead` is true for the kind
 * @throws Refusal `file_content_mismatch`
 */
export async function validateBytes(bytes: Buffer, { fileName, kind }: NameAndKind): Promise<void> {
  if (await bytesFitKind(bytes, kind)) return;
  throw refusal('file_content_mismatch', { extension: fileName.extension });
}
