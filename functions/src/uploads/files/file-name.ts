/** A character has up to 4 bytes, and an object name at most 1,024 bytes. */
const MAX_STEM_CHARACTERS = 100;

/** A longer name is cut at its beginning, because the extension is at its end. */
const MAX_RAW_CHARACTERS = 1024;

const FOLDERS = /^.*[/\\]/s;

/** Control characters can break headers, and bidirectional characters can disguise the extension. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Windows ignores dots and spaces at the end. `a.exe::$DATA` names the contents of `a.exe`. */
const ENDING_IGNORED_BY_WINDOWS = /(?:[.\s]|::?\$DATA)+$/i;

const FORBIDDEN_ON_WINDOWS = /[<>:"|?*]/g;

export interface FileName {
  /** With its extension, as shown to people. */
  name: string;
  /** The name without its extension, safe as part of an object name. */
  stem: string;
  /** Lower case, without the dot; empty if there is none. */
  extension: string;
}

/** The extension of a file name or path. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
}

/**
 * Cleans a sender's file name.
 *
 * @returns undefined if nothing is left of the name
 */
export function cleanFileName(raw: string): FileName | undefined {
  const name = decodeQuoting(raw)
    .replace(FOLDERS, '')
    .slice(-MAX_RAW_CHARACTERS)
    .replace(INVISIBLE_CHARACTERS, '')
    .normalize('NFC')
    .replace(ENDING_IGNORED_BY_WINDOWS, '')
    .replace(FORBIDDEN_ON_WINDOWS, '_')
    .trimStart();
  const dot = name.lastIndexOf('.');
  const stem = dot === -1 ? name : name.slice(0, dot);
  const extension = extensionOf(name);
  if (stem.replaceAll('.', '').trim() === '') return undefined;
  const shortStem = Array.from(stem).slice(0, MAX_STEM_CHARACTERS).join('');
  return {
    name: extension === '' ? shortStem : `${shortStem}.${extension}`,
    stem: shortStem.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'file',
    extension,
  };
}

/**
 * Browsers encode quotes, CR and LF in the file name of a form.
 * https://html.spec.whatwg.org/#multipart-form-data
 */
function decodeQuoting(raw: string): string {
  return raw.replace(/%22/g, '"').replace(/%0D/gi, '').replace(/%0A/gi, '');
}
