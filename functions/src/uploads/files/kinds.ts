/** How a kind of file is told by its bytes. `text` has no signature: it must be clean UTF-8 and no other kind of ours. */
export type Signature = { readonly detectedAs: readonly string[]; readonly containing?: Buffer } | 'text';

export interface Kind {
  readonly category: 'image' | 'document' | 'media';
  /** What we say it is, whatever the sender declared. */
  readonly contentType: string;
  /** Other names that senders have for it. */
  readonly alsoDeclaredAs?: readonly string[];
  readonly signature: Signature;
  /** Only kinds that a browser shows without running anything are shown in place; the others are downloaded. */
  readonly disposition: 'inline' | 'attachment';
  /** The largest file, whatever plan and configuration allow. */
  readonly maxBytes: number;
}

const MIB = 1024 * 1024;

/** Judging these kinds takes all of their bytes, in memory: no more of them than a request holds. */
export const MAX_BYTES_JUDGED_WHOLE = 32 * MIB;

/** Word's stream inside an OLE container, which Excel and installers use as well. */
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');

/** Every Office file has it; of a damaged archive without it file-type guesses the kind by the names of folders. */
const OFFICE_CONTENTS = Buffer.from('[Content_Types].xml');

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const IMAGE = { category: 'image', disposition: 'inline', maxBytes: 25 * MIB } as const;
const DOCUMENT = { category: 'document', disposition: 'inline', maxBytes: 100 * MIB } as const;
const TO_DOWNLOAD = {
  category: 'document',
  disposition: 'attachment',
  maxBytes: MAX_BYTES_JUDGED_WHOLE,
} as const;
const MEDIA = { category: 'media', disposition: 'inline', maxBytes: 1024 * MIB } as const;

const JPEG: Kind = {
  ...IMAGE,
  contentType: 'image/jpeg',
  alsoDeclaredAs: ['image/jpg', 'image/pjpeg'],
  signature: { detectedAs: ['image/jpeg'] },
};

/** The files that can be accepted, by extension. The rules of Storage repeat this table: a test compares them. */
export const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['jpg', JPEG],
  ['jpeg', JPEG],
  [
    'png',
    {
      ...IMAGE,
      contentType: 'image/png',
      alsoDeclaredAs: ['image/x-png'],
      signature: { detectedAs: ['image/png', 'image/apng'] },
    },
  ],
  ['gif', { ...IMAGE, contentType: 'image/gif', signature: { detectedAs: ['image/gif'] } }],
  ['webp', { ...IMAGE, contentType: 'image/webp', signature: { detectedAs: ['image/webp'] } }],
  [
    'pdf',
    {
      ...DOCUMENT,
      contentType: 'application/pdf',
      alsoDeclaredAs: ['application/x-pdf'],
      signature: { detectedAs: ['application/pdf'] },
    },
  ],
  [
    'doc',
    {
      ...TO_DOWNLOAD,
      contentType: 'application/msword',
      alsoDeclaredAs: ['application/vnd.ms-word'],
      signature: { detectedAs: ['application/x-cfb'], containing: WORD_STREAM },
    },
  ],
  [
    'docx',
    {
      ...TO_DOWNLOAD,
      contentType: DOCX,
      alsoDeclaredAs: ['application/zip'],
      signature: { detectedAs: [DOCX], containing: OFFICE_CONTENTS },
    },
  ],
  ['txt', { ...TO_DOWNLOAD, contentType: 'text/plain; charset=utf-8', signature: 'text' }],
  ['mp4', { ...MEDIA, contentType: 'video/mp4', signature: { detectedAs: ['video/mp4', 'video/x-m4v'] } }],
  [
    'webm',
    {
      ...MEDIA,
      contentType: 'video/webm',
      alsoDeclaredAs: ['audio/webm'],
      signature: { detectedAs: ['video/webm'] },
    },
  ],
  ['mov', { ...MEDIA, contentType: 'video/quicktime', signature: { detectedAs: ['video/quicktime'] } }],
  [
    'mp3',
    {
      ...MEDIA,
      contentType: 'audio/mpeg',
      alsoDeclaredAs: ['audio/mp3', 'audio/x-mp3', 'audio/x-mpeg'],
      signature: { detectedAs: ['audio/mpeg'] },
    },
  ],
  [
    'wav',
    {
      ...MEDIA,
      contentType: 'audio/wav',
      alsoDeclaredAs: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
      signature: { detectedAs: ['audio/wav'] },
    },
  ],
  [
    'ogg',
    {
      ...MEDIA,
      contentType: 'audio/ogg',
      alsoDeclaredAs: ['video/ogg', 'application/ogg'],
      signature: { detectedAs: ['audio/ogg', 'audio/ogg; codecs=opus', 'video/ogg', 'application/ogg'] },
    },
  ],
  [
    'm4a',
    {
      ...MEDIA,
      contentType: 'audio/mp4',
      alsoDeclaredAs: ['audio/x-m4a', 'audio/m4a', 'audio/aac'],
      signature: { detectedAs: ['audio/x-m4a', 'audio/mp4'] },
    },
  ],
]);

/** What senders declare when they do not know better: no part at all counts as text by RFC 7578. */
const UNDECLARED = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain']);

/** Which kinds are accepted: media only where it is configured. */
export interface Acceptance {
  uploadMedia: boolean;
}

export function acceptedExtensions({ uploadMedia }: Acceptance): string[] {
  return [...KINDS].flatMap(([extension, { category }]) =>
    category === 'media' && !uploadMedia ? [] : [extension],
  );
}

export function kindOf(extension: string, { uploadMedia }: Acceptance): Kind | undefined {
  const kind = KINDS.get(extension);
  return kind?.category === 'media' && !uploadMedia ? undefined : kind;
}

/** How a browser is to treat a file of this name. */
export function dispositionOf(name: string): Kind['disposition'] {
  return KINDS.get(name.slice(name.lastIndexOf('.') + 1))?.disposition ?? 'attachment';
}

/** Whether a declared media type can be meant for a kind. One that says nothing can be meant for every kind. */
export function agrees(declared: string, { contentType, alsoDeclaredAs = [] }: Kind): boolean {
  const essence = essenceOf(declared);
  return UNDECLARED.has(essence) || essence === essenceOf(contentType) || alsoDeclaredAs.includes(essence);
}

/** A media type without its parameters. */
function essenceOf(type: string): string {
  return type.replace(/;.*/s, '').trim().toLowerCase();
}

/** Whether the bytes at the beginning tell a kind; otherwise all of them are needed. */
export function isToldByItsHead({ signature }: Kind): boolean {
  return signature !== 'text' && signature.containing === undefined;
}
