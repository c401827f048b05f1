import { FILE_KINDS, type FileExtension, type FileKind } from '@hearth/shared/file-kinds';
import { extensionOf } from './file-name.ts';
import { SIGNATURES, type Signature } from './signature.ts';

export interface KnownFileKind extends FileKind {
  readonly signature: Signature;
}

/** The kinds of files that can be accepted, by extension. */
export const KINDS: ReadonlyMap<string, KnownFileKind> = new Map(
  Object.entries(FILE_KINDS).map(([extension, kind]) => [
    extension,
    { ...kind, signature: SIGNATURES[extension as FileExtension] },
  ]),
);

/** Types that senders declare for files of unknown type. A form part without a type has `text/plain` (RFC 7578). */
const UNSPECIFIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain']);

/** The setting that decides whether media kinds are accepted. */
export interface AcceptedKinds {
  uploadMedia: boolean;
}

export function fileKindOf(extension: string, { uploadMedia }: AcceptedKinds): KnownFileKind | undefined {
  const kind = KINDS.get(extension);
  return kind?.category === 'media' && !uploadMedia ? undefined : kind;
}

export function dispositionOf(name: string): KnownFileKind['disposition'] {
  return KINDS.get(extensionOf(name))?.disposition ?? 'attachment';
}

/** True if a declared media type fits a kind. */
export function typeFitsKind(declared: string, { contentType, aliases }: KnownFileKind): boolean {
  const essence = essenceOf(declared);
  return UNSPECIFIC_TYPES.has(essence) || essence === essenceOf(contentType) || aliases.includes(essence);
}

/** https://mimesniff.spec.whatwg.org/#mime-type-essence */
function essenceOf(type: string): string {
  return type.replace(/;.*/s, '').trim().toLowerCase();
}
