import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanFileName } from './file-name.ts';

const RLO = '\u202e';

describe('a file name', () => {
  test.each([
    ['photo.PNG', 'photo.png', 'photo', 'png'],
    ['Grüße 日本語.txt', 'Grüße 日本語.txt', 'Grüße-日本語', 'txt'],
    ['हिन्दी.txt', 'हिन्दी.txt', 'हिन्दी', 'txt'],
    ['cafe\u0301.txt', 'café.txt', 'café', 'txt'],
    ['a.tar.gz', 'a.tar.gz', 'a.tar', 'gz'],
    ['README', 'README', 'README', ''],
    ['🎉.txt', '🎉.txt', 'file', 'txt'],
    ['10:30.txt', '10_30.txt', '10_30', 'txt'],
    ['a b  c.txt', 'a b  c.txt', 'a-b-c', 'txt'],
    ['..a.txt', '..a.txt', 'a', 'txt'],
    ['100%.txt', '100%.txt', '100-', 'txt'],
    // No folders.
    ['../../a.txt', 'a.txt', 'a', 'txt'],
    ['..\\..\\a.txt', 'a.txt', 'a', 'txt'],
    ['C:\\fakepath\\a.txt', 'a.txt', 'a', 'txt'],
    // No character that breaks a header or a line.
    ['a\0.txt', 'a.txt', 'a', 'txt'],
    ['a.html\0.txt', 'a.html.txt', 'a.html', 'txt'],
    ['a\r\nSet-Cookie: b.txt', 'aSet-Cookie_ b.txt', 'aSet-Cookie_-b', 'txt'],
    ['a%0D%0A%22.txt', 'a_.txt', 'a_', 'txt'],
    ['a%0d%0ab.txt', 'ab.txt', 'ab', 'txt'],
    ['a\u2028b\u2029.txt', 'ab.txt', 'ab', 'txt'],
    ['a"<b>|?*.txt', 'a__b____.txt', 'a__b____', 'txt'],
    // Nothing that disguises the extension.
    [`photo${RLO}gnp.html`, 'photognp.html', 'photognp', 'html'],
    [`a.html${RLO}.png`, 'a.html.png', 'a.html', 'png'],
    ['a.ht\u200bml', 'a.html', 'a', 'html'],
    ['a.png\ud800', 'a.png', 'a', 'png'],
    ['a.html.', 'a.html', 'a', 'html'],
    ['a.html. . ', 'a.html', 'a', 'html'],
    ['a.html \u00a0.\u3000', 'a.html', 'a', 'html'],
    ['a.html::$DATA', 'a.html', 'a', 'html'],
    ['a.html:$data', 'a.html', 'a', 'html'],
    ['a.html::$DATA.', 'a.html', 'a', 'html'],
    ['a.html::$DA\0TA', 'a.html', 'a', 'html'],
    [':$DATA.png', '_$DATA.png', '_-DATA', 'png'],
    ['a.html:b.png', 'a.html_b.png', 'a.html_b', 'png'],
  ])('%j becomes %j', (raw, name, stem, extension) => {
    expect(cleanFileName(raw)).toEqual({ name, stem, extension });
  });

  test.each([
    '',
    '.',
    '..',
    '...',
    ' ',
    '\0',
    RLO,
    '/',
    'a/',
    'a\\',
    '.png',
    '..png',
    ' .png',
    '. .png',
    '::$DATA',
  ])('%j is not usable', (raw) => {
    expect(cleanFileName(raw)).toBeUndefined();
  });
});

test('a long name is cut between characters and keeps its extension', () => {
  const { name, stem } = cleanFileName(`${'🎉'.repeat(150)}.txt`) ?? { name: '', stem: '' };
  expect(name).toBe(`${'🎉'.repeat(100)}.txt`);
  expect(stem).toBe('file');
});

test('a very long name is cut at its beginning', () => {
  expect(cleanFileName(`${'a'.repeat(2000)}${'b'.repeat(1000)}.txt`)?.stem).toMatch(/^a{20}b{80}$/);
});

describe('any name', () => {
  const hostile = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        '.',
        '/',
        '\\',
        ' ',
        ':',
        '$DATA',
        '%0D',
        '%0A',
        '%22',
        '\0',
        '\r',
        '\n',
        RLO,
        '"',
        '<',
        '&',
        'png',
        'html',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 40,
  });

  test('becomes harmless, and ends with its extension', () => {
    fc.assert(
      fc.property(hostile, (raw) => {
        const clean = cleanFileName(raw);
        if (clean === undefined) return;
        const { name, stem, extension } = clean;
        expect(name).not.toMatch(/[/\\<>:"|?*\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[. ]$|^\s/u);
        expect(name.endsWith(extension === '' ? '' : `.${extension}`)).toBe(true);
        expect(extension).not.toContain('.');
        expect(stem).toMatch(/^[^.][\p{L}\p{M}\p{N}._-]*$/u);
        expect(Buffer.byteLength(stem)).toBeLessThanOrEqual(400);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps its extension when it is cleaned again', () => {
    fc.assert(
      fc.property(hostile, (raw) => {
        const once = cleanFileName(raw);
        if (once === undefined) return;
        expect(cleanFileName(once.name)?.extension).toBe(once.extension);
      }),
      { numRuns: 500 },
    );
  });
});
