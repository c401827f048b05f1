import * as z from 'zod';

/**
 * Names of users and teams. They end in subjects of mails to strangers, in lists and in logs, so they are one line of
 * visible text without web addresses.
 *
 * `nameSchema` validates a name that comes through the API. `cleanName` repairs one that comes from elsewhere: client SDKs
 * write display names to Firebase Auth, and admins write documents. `unlinked` prepares a name for a mail.
 */

/** Code points, as zod and JSON Schema count them. */
const MAX_LENGTH = 100;

/** Bounds the work on a name of any length. */
const MAX_LOOKED_AT = 4_000;

/** Control characters, line and paragraph separators, and halves of surrogate pairs. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Emoji like the flag of Scotland spell a region with tag characters. Others could hide text in them. */
const FLAG = '\\p{RGI_Emoji_Tag_Sequence}';

/** Emoji are joined to others, such as those of a family. */
const EMOJI_JOINER =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})';

/** Scripts whose spelling needs joiners and non-joiners. */
const JOINING_SCRIPTS = [
  ...[
    'Arabic',
    'Syriac',
    'Nko',
    'Mongolian',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
    'Tamil',
  ],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const LETTER_JOINER = `(?<=[${JOINING_SCRIPTS}])[\\u200C\\u200D](?=[${JOINING_SCRIPTS}])`;

/** One variation selector after a visible character, as in emoji and Japanese names. More of them could hide text. */
const SELECTOR = '(?<=[\\p{L}\\p{N}\\p{P}\\p{S}])\\p{Variation_Selector}';

/** Characters that nobody sees: format characters such as bidi controls, fillers, and private use. */
const INVISIBLE = '[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Co}\\p{Cn}]';

/** Matches each invisible character, and the groups of them that are part of a visible one as `kept`. */
const HIDDEN = new RegExp(`(?<kept>${FLAG}|${EMOJI_JOINER}|${LETTER_JOINER}|${SELECTOR})|${INVISIBLE}`, 'gv');

/** Mail programs make links of these. A domain alone, such as Booking.com, is a common name: see `unlinked`. */
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

/** The name of a user or a team, from the API. */
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_LENGTH)
  .refine((name) => name.search(CONTROLS) < 0, 'must be one line of text')
  .refine((name) => withoutHidden(name) === name, 'must not contain invisible characters')
  .refine((name) => !hasWebAddress(name), 'must not contain a web address');

/**
 * The nearest name that `nameSchema` accepts; null if nothing visible is left. Control and invisible characters and words
 * that are web addresses are removed, and a long name is cut between characters. A valid name stays as it is.
 */
export function cleanName(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  const text = name.trim().slice(0, MAX_LOOKED_AT);
  if (nameSchema.safeParse(text).success) return text;
  const words = withoutHidden(text.replace(CONTROLS, ' '))
    .split(/\s+/u)
    .filter((word) => word !== '' && !hasWebAddress(word));
  return nameSchema.safeParse(withoutHidden(cut(words.join(' ')))).data ?? null;
}

/** Like `cleanName`, for a team, which always has a name. */
export function cleanTeamName(name: unknown): string {
  return cleanName(name) ?? 'Unnamed team';
}

/**
 * A name in a mail. Mail programs make links of domains: a dot before a letter or digit becomes U+2024, which looks like
 * it and is part of no domain. Also for an address in the place of a name.
 */
export function unlinked(name: string): string {
  return name.replace(/\.(?=[\p{L}\p{N}])/gu, '\u2024');
}

/** Full-width letters and the like count as the characters that they look like. */
function hasWebAddress(name: string): boolean {
  return WEB_ADDRESS.test(name.normalize('NFKC').replace(/[\u3002\uFF61]/gu, '.'));
}

/** Repeats until nothing changes, because removing one character can orphan another one. */
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
