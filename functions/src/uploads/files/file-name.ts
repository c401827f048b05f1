/** Leaves room for prefix and timestamp in the 1,024 bytes of an object name, at up to 4 bytes a character. */
const MAX_STEM_CHARACTERS = 100;

/** Longer than the names of any file system; the extension is at the end. */
const MAX_RAW_CHARACTERS = 1024;

export interface FileName {
  /** As shown to people. */
  name: string;
  /** The name without its extension, safe as part of an object name. */
  stem: string;
  /** Lower case, without the dot; empty if there is none. */
  extension: string;
}

/**
 * Makes a sender's file name harmless: no folders, no control or bidirectional characters (they break headers and disguise
 * extensions), no alternate data stream, no trailing dots or spaces. Then the extension is judged.
 *
 * @returns undefined where no name is left
 */
export function cleanFileName(raw: string): FileName | undefined {
  const name = decodeQuoting(raw)
    .replace(/^.*[/\\]/s, '')
    .slice(-MAX_RAW_CHARACTERS)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .normalize('NFC')
    .replace(/(?:[.\s]|::?\$DATA)+$/i, '')
    .replace(/[<>:"|?*]/g, '_')
    .trimStart();
  const dot = name.lastIndexOf('.');
  const stem = dot === -1 ? name : name.slice(0, dot);
  const extension = dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
  if (stem.replaceAll('.', '').trim() === '') return undefined;
  const shortStem = Array.from(stem).slice(0, MAX_STEM_CHARACTERS).join('');
  return {
    name: extension === '' ? shortStem : `${shortStem}.${extension}`,
    stem: shortStem.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'file',
    extension,
  };
}

/** Browsers send quotes, CR and LF in file names as %22, %0D and %0A (https://html.spec.whatwg.org/#multipart-form-data). */
function decodeQuoting(raw: string): string {
  return raw.replace(/%22/g, '"').replace(/%0D/gi, '').replace(/%0A/gi, '');
}
