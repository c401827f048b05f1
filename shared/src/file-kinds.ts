/**
 * The kinds of files that can be uploaded, by extension in lower case. The backend, the client and the pages use this
 * table. `storage.rules` repeats the table, and tests/rules/storage-kinds.test.ts compares the rules with it.
 */

export interface FileKind {
  /** Media kinds are accepted only if `UPLOAD_MEDIA` is true. */
  readonly category: 'image' | 'document' | 'audio-video';
  /** The media type under which the file is served, whatever its sender declared. */
  readonly contentType: string;
  /** Other media types that senders declare for this kind. */
  readonly aliases: readonly string[];
  /** A browser shows a file of an `inline` kind. It downloads other files, because they could contain code. */
  readonly disposition: 'inline' | 'attachment';
  /** The largest size of a file, even if the plan and the settings allow more. */
  readonly maxBytes: number;
}

const MIB = 1024 * 1024;

const IMAGE = { category: 'image', disposition: 'inline', maxBytes: 25 * MIB, aliases: [] } as const;
const DOCUMENT = { category: 'document', disposition: 'inline', maxBytes: 100 * MIB, aliases: [] } as const;
const DOWNLOAD = {
  category: 'document',
  disposition: 'attachment',
  maxBytes: 32 * MIB,
  aliases: [],
} as const;
const MEDIA = { category: 'audio-video', disposition: 'inline', maxBytes: 1024 * MIB, aliases: [] } as const;

const JPEG = { ...IMAGE, contentType: 'image/jpeg', aliases: ['image/jpg', 'image/pjpeg'] } as const;

export const FILE_KINDS = {
  jpg: JPEG,
  jpeg: JPEG,
  png: { ...IMAGE, contentType: 'image/png', aliases: ['image/x-png'] },
  gif: { ...IMAGE, contentType: 'image/gif' },
  webp: { ...IMAGE, contentType: 'image/webp' },
  pdf: { ...DOCUMENT, contentType: 'application/pdf', aliases: ['application/x-pdf'] },
  doc: { ...DOWNLOAD, contentType: 'application/msword', aliases: ['application/vnd.ms-word'] },
  docx: {
    ...DOWNLOAD,
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    aliases: ['application/zip'],
  },
  txt: { ...DOWNLOAD, contentType: 'text/plain; charset=utf-8' },
  mp4: { ...MEDIA, contentType: 'video/mp4' },
  webm: { ...MEDIA, contentType: 'video/webm', aliases: ['audio/webm'] },
  mov: { ...MEDIA, contentType: 'video/quicktime' },
  mp3: { ...MEDIA, contentType: 'audio/mpeg', aliases: ['audio/mp3', 'audio/x-mp3', 'audio/x-mpeg'] },
  wav: { ...MEDIA, contentType: 'audio/wav', aliases: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'] },
  ogg: { ...MEDIA, contentType: 'audio/ogg', aliases: ['video/ogg', 'application/ogg'] },
  m4a: { ...MEDIA, contentType: 'audio/mp4', aliases: ['audio/x-m4a', 'audio/m4a', 'audio/aac'] },
} as const satisfies Record<string, FileKind>;

/** An extension that can be accepted, such as `pdf`. */
export type FileExtension = keyof typeof FILE_KINDS;

/** The extensions that are accepted, in the order of the table. @param uploadMedia the setting `UPLOAD_MEDIA` */
export function acceptedExtensions({ uploadMedia }: { uploadMedia: boolean }): FileExtension[] {
  const all = Object.keys(FILE_KINDS) as FileExtension[];
  return all.filter((extension) => uploadMedia || FILE_KINDS[extension].category !== 'audio-video');
}
