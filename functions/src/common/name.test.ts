import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuzzBounds } from '../testing/fuzz.ts';
import { cleanName, nameSchema, unlinked } from './name.ts';

const VALID = [
  'Ada Lovelace',
  "O'Brien & Søn (Ltd.)",
  'Booking.com',
  'Node.js / React',
  'A.I./ML',
  'Release 1.20/1.21',
  '王小明',
  'モーニング娘。',
  '葛\u{E0100}城',
  'فارسی می\u200cخواهم',
  'ශ්\u200dරී ලංකා',
  'नमस्\u200dते',
  'Family 👨‍👩‍👧‍👦 and 🏳️‍🌈',
  'Scotland 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  'One 1️⃣ ❤️ 👍🏽',
  'x'.repeat(100),
];

test.each(VALID)('"%s" is a valid name and stays as it is', (name) => {
  expect(nameSchema.parse(name)).toBe(name);
  expect(cleanName(name)).toBe(name);
});

const REFUSED: [part: string, name: string, problem: string, cleaned: string | null][] = [
  ['a link', 'Sign in at https://evil.example/login now', 'web address', 'Sign in at now'],
  ['another scheme', 'Get ftp://evil.example', 'web address', 'Get'],
  ['www', 'Visit WWW.evil.example', 'web address', 'Visit'],
  ['www in full-width letters', 'Visit ｗｗｗ．evil．example', 'web address', 'Visit'],
  ['a domain with a path', 'Go to evil.example/login', 'web address', 'Go to'],
  ['a domain with ideographic full stops', 'Go to evil。example/login', 'web address', 'Go to'],
  ['a domain with a port', 'Go to evil.example:8080', 'web address', 'Go to'],
  ['an IP address with a path', 'Go to 192.0.2.1/login', 'web address', 'Go to'],
  ['only a link', 'https://evil.example', 'web address', null],
  ['a link with an invisible character', 'https:\u200b//evil.example', 'invisible', null],
  ['a bidi control', 'Microsoft\u202etxt', 'invisible', 'Microsofttxt'],
  ['a bidi isolate', '\u2066Ada\u2069', 'invisible', 'Ada'],
  ['a zero width space', 'A\u200bda', 'invisible', 'Ada'],
  ['a soft hyphen', 'A\u00adda', 'invisible', 'Ada'],
  ['a joiner between Latin letters', 'Pay\u200dpal', 'invisible', 'Paypal'],
  ['a joiner at the end', 'Ada\u200d', 'invisible', 'Ada'],
  ['a filler', '\u3164', 'invisible', null],
  ['text in tag characters', 'Ada\u{E0068}\u{E0069}', 'invisible', 'Ada'],
  ['text in variation selectors', 'A\u{E0100}\u{E0101}\u{E0102}', 'invisible', 'A\u{E0100}'],
  ['a private use character', 'A\u{F8FF}', 'invisible', 'A'],
  ['a line break', 'Ada\r\nBcc: all', 'one line', 'Ada Bcc: all'],
  ['a line separator', 'Ada\u2028B', 'one line', 'Ada B'],
  ['a tab', 'Ada\tB', 'one line', 'Ada B'],
  ['half a surrogate pair', 'Ada\ud83d', 'one line', 'Ada'],
  ['only spaces', '   ', '1', null],
  ['a text that is too long', 'x'.repeat(1600), '100', 'x'.repeat(100)],
  ['a family at the limit', `${'x'.repeat(98)}👨‍👩‍👧`, '100', 'x'.repeat(98)],
];

test.each(REFUSED)('%s: refused by nameSchema and removed by cleanName', (_part, name, problem, cleaned) => {
  const issues = nameSchema
    .safeParse(name)
    .error?.issues.map(({ message }) => message)
    .join('; ');
  expect(issues).toContain(problem);
  expect(cleanName(name)).toBe(cleaned);
});

test.each([undefined, null, 5, {}, ['Ada']])('%j is not a name', (value) => {
  expect(cleanName(value)).toBeNull();
});

describe('any text from a client', () => {
  const part = fc.constantFrom(
    ...[
      'www.',
      '://',
      'a.bc/',
      '\u200d',
      '\u200c',
      '\ufe0f',
      '👨',
      '🏴',
      '\u{E0067}',
      '\u{E007F}',
      'ف',
      'स्',
      '\u202e',
      ' ',
    ],
    ...['。', '．', '\ud83d', '\n', '1', '.', '/', 'x'.repeat(98)],
  );
  const text = fc
    .array(fc.oneof(part, fc.string({ unit: 'binary' })), { maxLength: 12 })
    .map((parts) => parts.join(''));

  test('is a valid name after cleaning, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(text, (name) => {
        const cleaned = cleanName(name);
        if (cleaned === null) return;
        expect(nameSchema.safeParse(cleaned)).toMatchObject({ success: true, data: cleaned });
        expect(cleanName(cleaned)).toBe(cleaned);
      }),
      fuzzBounds(2_000),
    );
  });
});

test('mail programs do not turn a domain in a name into a link', () => {
  expect(unlinked('Booking.com')).toBe('Booking\u2024com');
  expect(unlinked('evil.example.')).toBe('evil\u2024example.');
  expect(unlinked('Acme Inc. (St. Gallen)')).toBe('Acme Inc. (St. Gallen)');
});
