import { FILE_KINDS, type FileExtension, type FileKind } from '@hearth/shared/file-kinds';
import { extensionOf } from './file-name.ts';
import { SIGNATURES, type Signature } from './signature.ts';

export interface FileKindWithSignature extends FileKind {
  readonly signature: Signature;
}

/** The kinds of files that can be accepted, by extension. */
export const KINDS_WITH_SIGNATURE: ReadonlyMap<string, FileKindWithSignature> = new Map(
  Object.entries(FILE_KINDS).map(([extension, kind]) => [
    extension,
    { ...kind, signature: SIGNATURES[extension as FileExtension] },
  ]),
);

/** Types that senders declare for files of unknown type. A form part without a type has `text/plain` (RFC 7578). */
const UNSPECIFIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain']);

/** The setting that decides whether media kinds are accepted. */
export interface MediaSettings {
  uploadMedia: boolean;
}

export function fileKindOf(
  extension: string,
  { uploadMedia }: MediaSettings,
): FileKindWithSignature | undefined {
  const kind = KINDS_WITH_SIGNATURE.get(extension);
  return kind?.category === 'audio-video' && !uploadMedia ? undefined : kind;
}

export function dispositionOf(name: string): FileKindWithSignature['disposition'] {
  return KINDS_WITH_SIGNATURE.get(extensionOf(name))?.disposition ?? 'attachment';
}

/** True if a declared media type fits a kind. */
export function typeFitsKind(declared: string, { contentType, aliases }: FileKindWithSignature): boolean {
  const essence = essenceOf(declared);
  return UNSPECIFIC_TYPES.has(essence) || essence === essenceOf(contentType) || aliases.includes(essence);
}

/** https://mimesniff.spec.whatwg.org/#mime-type-essence */
function essenceOf(type: string): string {
  return type.replace(/;.*/s, '').trim().toLowerCase();
}
