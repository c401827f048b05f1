/** How a kind of file is told by its bytes. `text` has no signature: it must be clean UTF-8 and no other kind of ours. */
type Signature = { detectedAs: string; containing?: Buffer } | 'text';

export interface Kind {
  /** What we say it is, whatever the sender declared. */
  contentType: string;
  signature: Signature;
  /** Only kinds that a browser shows without running anything are shown in place; the others are downloaded. */
  disposition: 'inline' | 'attachment';
}

/** Word's stream inside an OLE container, which Excel and installers use as well. */
const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');

/** Every Office file has it; of a damaged archive without it file-type guesses the kind by the names of folders. */
const OFFICE_CONTENTS = Buffer.from('[Content_Types].xml');

const JPEG: Kind = {
  contentType: 'image/jpeg',
  signature: { detectedAs: 'image/jpeg' },
  disposition: 'inline',
};
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** The accepted files by extension. */
const KINDS = new Map<string, Kind>([
  ['jpg', JPEG],
  ['jpeg', JPEG],
  ['png', { contentType: 'image/png', signature: { detectedAs: 'image/png' }, disposition: 'inline' }],
  ['gif', { contentType: 'image/gif', signature: { detectedAs: 'image/gif' }, disposition: 'inline' }],
  ['webp', { contentType: 'image/webp', signature: { detectedAs: 'image/webp' }, disposition: 'inline' }],
  [
    'pdf',
    { contentType: 'application/pdf', signature: { detectedAs: 'application/pdf' }, disposition: 'inline' },
  ],
  [
    'doc',
    {
      contentType: 'application/msword',
      signature: { detectedAs: 'application/x-cfb', containing: WORD_STREAM },
      disposition: 'attachment',
    },
  ],
  [
    'docx',
    {
      contentType: DOCX,
      signature: { detectedAs: DOCX, containing: OFFICE_CONTENTS },
      disposition: 'attachment',
    },
  ],
  ['txt', { contentType: 'text/plain; charset=utf-8', signature: 'text', disposition: 'attachment' }],
]);

const SIGNATURES = new Set<string | undefined>(
  [...KINDS.values()].flatMap(({ signature }) => (signature === 'text' ? [] : [signature.detectedAs])),
);

export const ACCEPTED_EXTENSIONS = [...KINDS.keys()];

export function kindOf(extension: string): Kind | undefined {
  return KINDS.get(extension);
}

/** Whether the bytes are what the extension says. */
export async function matchesKind(bytes: Buffer, { signature }: Kind): Promise<boolean> {
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = (await fileTypeFromBuffer(bytes))?.mime;
  // Of the kinds that are not ours many begin with plain letters: a text about BMW is no BMP picture.
  if (signature === 'text') return !SIGNATURES.has(detected) && isText(bytes);
  if (detected !== signature.detectedAs) return false;
  return signature.containing === undefined || bytes.includes(signature.containing);
}

/** UTF-8 without the control characters that no text has. */
function isText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text);
  } catch {
    return false;
  }
}
