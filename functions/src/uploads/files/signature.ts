import { isUtf8 } from 'node:buffer';
import { FILE_KINDS, type FileExtension } from '@hearth/shared/file-kinds';

/** How the bytes of a file kind are recognized. */
export type Signature = DetectedSignature | 'text';

interface DetectedSignature {
  /** Media types, one of which `file-type` detects in the bytes. */
  readonly detectedAs: readonly string[];
  /** Bytes that the file must also contain, at any position. */
  readonly containing?: Buffer;
}

/** A part of `.doc` files. Other OLE containers, such as files of Excel and installers, do not have this part. */
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');

/** Every Office file has this part. In a file that lacks it, `file-type` guesses the kind from the names of folders. */
const OFFICE_CONTENTS = Buffer.from('[Content_Types].xml');

export const SIGNATURES: Readonly<Record<FileExtension, Signature>> = {
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

/**
 * The number of bytes at the beginning of a file that are read for two purposes:
 *
 * - The signature of a direct upload, if `isIdentifiedByHead` is true.
 * - The width and the height of a picture, which may follow long metadata of the camera.
 */
export const HEAD_BYTES = 256 * 1024;

/** True if the first HEAD_BYTES are enough for `bytesFitKind`. */
export function isIdentifiedByHead({ signature }: { signature: Signature }): boolean {
  return signature !== 'text' && signature.containing === undefined;
}

/** True if the bytes have the signature of a kind. */
export async function bytesFitKind(bytes: Buffer, { signature }: { signature: Signature }): Promise<boolean> {
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = (await fileTypeFromBuffer(bytes))?.mime;
  if (signature === 'text') return !TYPES_NEVER_TEXT.has(detected) && isText(bytes);
  if (detected === undefined || !signature.detectedAs.includes(detected)) return false;
  return signature.containing === undefined || bytes.includes(signature.containing);
}

/**
 * A file of these types is not text. The types of audio and video are left out, because they may be detected in plain
 * text: a text with "free" at its fifth byte is detected as QuickTime.
 */
const TYPES_NEVER_TEXT = new Set<string | undefined>(
  Object.entries(SIGNATURES).flatMap(([extension, signature]) => {
    const isAudioOrVideo = FILE_KINDS[extension as FileExtension].category === 'audio-video';
    return isAudioOrVideo || signature === 'text' ? [] : signature.detectedAs;
  }),
);

/** True for valid UTF-8 without a zero byte: grep and git recognize binary files by a zero byte. */
function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
