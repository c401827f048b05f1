import { FILE_KINDS, type FileExtension, type FileKind } from '@hearth/shared/file-kinds';
import { extensionOf } from './file-name.ts';

/**
 * How the bytes of a kind are recognized: `file-type` detects a type of `detectedAs`, and the bytes have the part
 * `containing`. For `text`: the bytes are UTF-8 and have no zero byte, and `file-type` detects no picture or document.
 */
export type Signature = { readonly detectedAs: readonly string[]; readonly containing?: Buffer } | 'text';

export interface Kind extends FileKind {
  readonly signature: Signature;
}

/** The stream of Word in an OLE container. Excel and installers use OLE containers too. */
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');

/**
 * A part of every Office file. If a damaged archive has no such part, `file-type` guesses the kind from folder names.
 */
const OFFICE_CONTENTS = Buffer.from('[Content_Types].xml');

/** Media types that `file-type` detects in files of each kind. */
const SIGNATURES: Readonly<Record<FileExtension, Signature>> = {
  jpg: { detectedAs: ['image/jpeg'] },
  jpeg: { detectedAs: ['image/jpeg'] },
  png: { detectedAs: ['image/png', 'image/apng'] },
  gif: { detectedAs: ['image/gif'] },
  webp: { detectedAs: ['image/webp'] },
  pdf: { detectedAs: ['application/pdf'] },
  doc: { detectedAs: ['application/x-cfb'], containing: WORD_STREAM },
  docx: { detectedAs: [FILE_KINDS.docx.contentType], containing: OFFICE_CONTENTS },
  txt: 'text',
  mp4: { detectedAs: ['video/mp4', 'video/x-m4v'] },
  webm: { detectedAs: ['video/webm'] },
  mov: { detectedAs: ['video/quicktime'] },
  mp3: { detectedAs: ['audio/mpeg'] },
  wav: { detectedAs: ['audio/wav'] },
  ogg: { detectedAs: ['audio/ogg', 'audio/ogg; codecs=opus', 'video/ogg', 'application/ogg'] },
  m4a: { detectedAs: ['audio/x-m4a', 'audio/mp4'] },
};

/** The kinds of files that can be accepted, by extension. */
export const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(FILE_KINDS).map(([extension, kind]) => [
    extension,
    { ...kind, signature: SIGNATURES[extension as FileExtension] },
  ]),
);

/**
 * Types that senders declare for files whose type they do not know. By RFC 7578 a part without a type counts as text.
 */
const UNSPECIFIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain']);

/** The setting that decides whether media kinds are accepted. */
export interface AcceptedKinds {
  uploadMedia: boolean;
}

export function fileKindOf(extension: string, { uploadMedia }: AcceptedKinds): Kind | undefined {
  const kind = KINDS.get(extension);
  return kind?.category === 'media' && !uploadMedia ? undefined : kind;
}

export function dispositionOf(name: string): Kind['disposition'] {
  return KINDS.get(extensionOf(name))?.disposition ?? 'attachment';
}

/** True if a declared media type fits a kind. A type such as `application/octet-stream` fits every kind. */
export function typeFitsKind(declared: string, { contentType, aliases }: Kind): boolean {
  const essence = essenceOf(declared);
  return UNSPECIFIC_TYPES.has(essence) || essence === essenceOf(contentType) || aliases.includes(essence);
}

function essenceOf(type: string): string {
  return type.replace(/;.*/s, '').trim().toLowerCase();
}

/** True if the first HEAD_BYTES are enough to recognize a kind. For other kinds all bytes are validated. */
export function isIdentifiedByHead({ signature }: Kind): boolean {
  return signature !== 'text' && signature.containing === undefined;
}
