import * as z from 'zod';

/**
 * Names of users and teams. They appear in mail subjects, in lists and in logs, so they are one line of visible text
 * without web addresses.
 *
 * - `nameSchema` validates a name in a request.
 * - `cleanName` repairs a name from another source: client SDKs write display names to Firebase Auth, operators write
 *   documents.
 * - `unlinked` prepares a name for a mail.
 */

/** In code points, like `maxLength` of JSON Schema. */
const MAX_LENGTH = 100;

/** Characters of a longer text that are read, to limit the work. */
const MAX_INPUT_LENGTH = 4_000;

/** Control characters, line and paragraph separators, and halves of surrogate pairs. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Emoji such as the flag of Scotland contain tag characters. Elsewhere, tag characters could hide text. */
const FLAG = '\\p{RGI_Emoji_Tag_Sequence}';

/** Joins several emoji to one symbol, such as a family. */
const EMOJI_JOINER =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})';

/** Scripts whose spelling needs joiners and non-joiners. */
const JOINING_SCRIPTS = (
  'Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya ' +
  'Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan'
)
  .split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const LETTER_JOINER = `(?<=[${JOINING_SCRIPTS}])[\\u200C\\u200D](?=[${JOINING_SCRIPTS}])`;

/** One variation selector after a visible character, as in emoji and Japanese names. Several could hide text. */
const SELECTOR = '(?<=[\\p{L}\\p{N}\\p{P}\\p{S}])\\p{Variation_Selector}';

/** Characters without a visible form: format characters such as bidi controls, fillers, and private use. */
const INVISIBLE = '[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Co}\\p{Cn}]';

/** Matches invisible characters. The group `kept` has those that belong to a visible character. */
const HIDDEN = new RegExp(`(?<kept>${FLAG}|${EMOJI_JOINER}|${LETTER_JOINER}|${SELECTOR})|${INVISIBLE}`, 'gv');

/** Text that mail programs turn into links. A domain alone, such as Booking.com, is allowed: see `unlinked`. */
const WEB_ADDRESS = new RegExp(
  [
    '://',
    '(?<![\\p{L}\\p{N}])www\\.',
    // A domain or an IPv4 address with a path, port, query or fragment.
    '[\\p{L}\\p{N}]\\.(?:\\p{L}{2,}|xn--[a-z0-9-]+)(?:[/?#]|:\\d)',
    '\\d{1,3}(?:\\.\\d{1,3}){3}(?:[/?#]|:\\d)',
  ].join('|'),
  'iu',
);

export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_LENGTH)
  .refine((name) => name.search(CONTROLS) < 0, 'must be one line of text')
  .refine((name) => withoutHidden(name) === name, 'must not contain invisible characters')
  .refine((name) => !hasWebAddress(name), 'must not contain a web address');

/**
 * The nearest name that `nameSchema` accepts; null if nothing visible is left. Removes control characters, invisible
 * characters, and words that contain a web address. Cuts a long name between characters. A valid name stays as it is.
 */
export function cleanName(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  const text = name.trim().slice(0, MAX_INPUT_LENGTH);
  if (nameSchema.safeParse(text).success) return text;
  const words = withoutHidden(text.replace(CONTROLS, ' '))
    .split(/\s+/u)
    .filter((word) => word !== '' && !hasWebAddress(word));
  return nameSchema.safeParse(withoutHidden(cut(words.join(' ')))).data ?? null;
}

/** Like `cleanName`, but never null: without a valid name the result is "Unnamed team". */
export function cleanTeamName(name: unknown): string {
  return cleanName(name) ?? 'Unnamed team';
}

/**
 * Prepares a name, or an address instead of a name, for a mail. Mail programs turn domains into links. Therefore each
 * dot before a letter or digit becomes U+2024, which looks the same but is not part of a domain.
 */
export function unlinked(name: string): string {
  return name.replace(/\.(?=[\p{L}\p{N}])/gu, '\u2024');
}

/**
 * True if the name has a web address. NFKC turns full-width letters and similar characters into the characters that
 * they look like.
 */
function hasWebAddress(name: string): boolean {
  return WEB_ADDRESS.test(name.normalize('NFKC').replace(/[\u3002\uFF61]/gu, '.'));
}

/** Removes hidden characters. Repeats until nothing changes, because a removal can make another character invisible. */
function withoutHidden(name: string): string {
  const visible = name.replace(HIDDEN, (match, kept: string | undefined) =>
    kept === undefined ? '' : match,
  );
  return visible === name ? name : withoutHidden(visible);
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

function cut(name: string): string {
  let length = 0;
  for (const { index, segment } of characters.segment(name)) {
    length += Array.from(segment).length;
    if (length > MAX_LENGTH) return name.slice(0, index);
  }
  return name;
}
