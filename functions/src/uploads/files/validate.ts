import { acceptedExtensions } from '@hearth/shared/file-kinds';
import { refuse } from '../../refusals/refusals.ts';
import { cleanFileName, type FileName } from './file-name.ts';
import { fileKindOf, typeFitsKind, type Acceptance, type Kind } from './kinds.ts';
import { bytesFitKind } from './signature.ts';

/** The sender's statements about a file. None of them can be trusted. */
export interface Declaration {
  name: string;
  declaredType: string;
  /** The content encoding of the bytes, if the sender named one. */
  contentEncoding?: string;
  /** Bytes. */
  size: number;
}

/** A file whose declaration is valid: its clean name and its kind. */
export interface ValidDeclaration {
  fileName: FileName;
  kind: Kind;
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1 */
const NOT_ENCODED: ReadonlySet<string> = new Set(['', 'identity']);

/**
 * Validates the name, declared type and size of a file. All uploads are checked here for emptiness and for the largest
 * size of their kind; storage.rules have checked direct uploads before. Encoded bytes are refused, because their
 * decoded size has no bound.
 *
 * @throws Refusal `empty_file`, `file_name_unusable`, `unsupported_media_type`, `payload_too_large`
 */
export function validateDeclaration(declaration: Declaration, acceptance: Acceptance): ValidDeclaration {
  const { declaredType, contentEncoding = '', size } = declaration;
  if (size === 0) throw refuse('empty_file');
  if (!NOT_ENCODED.has(contentEncoding)) throw refuse('file_encoded');
  const fileName = cleanFileName(declaration.name);
  if (fileName === undefined) throw refuse('file_name_unusable');
  const kind = acceptedKind(fileName, acceptance);
  const { extension } = fileName;
  if (!typeFitsKind(declaredType, kind)) throw refuse('file_type_mismatch', { extension });
  if (size > kind.maxBytes) throw refuse('file_too_large_for_kind', { extension, size: kind.maxBytes });
  return { fileName, kind };
}

function acceptedKind({ extension }: FileName, acceptance: Acceptance): Kind {
  const kind = fileKindOf(extension, acceptance);
  if (kind !== undefined) return kind;
  throw refuse('unsupported_media_type', { extensions: acceptedExtensions(acceptance).join(', ') });
}

/**
 * Validates the bytes of a file against its kind. The first HEAD_BYTES are enough if `isIdentifiedByHead` is true.
 *
 * @throws Refusal `unsupported_media_type`
 */
export async function validateBytes(bytes: Buffer, { fileName, kind }: ValidDeclaration): Promise<void> {
  if (await bytesFitKind(bytes, kind)) return;
  throw refuse('file_content_mismatch', { extension: fileName.extension });
}
