import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EN } from '../texts/en.ts';
import { htmlFragment } from './html.ts';

const ENTITY = /&(?:amp|lt|gt|quot|#39);/g;
const CHARACTERS: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The message as it is written in the heading of the fragment. */
const writtenHeading = (message: string): string =>
  /<h3>(.*)<\/h3>/s.exec(htmlFragment(message, 'Advice.'))?.[1] ?? '';

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  [`" onload='x'`, '&quot; onload=&#39;x&#39;'],
  ['&lt;', '&amp;lt;'],
  ['Grüße 🎉', 'Grüße 🎉'],
])('the message %s is written as %s', (text, html) => {
  expect(writtenHeading(text)).toBe(html);
});

test('a message never contains markup, and a browser shows it unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", ';', 'amp', 'a') }), (text) => {
      const html = writtenHeading(text);
      expect(html).not.toMatch(/[<>"']/);
      expect(html.replace(ENTITY, '')).not.toContain('&');
      expect(html.replace(ENTITY, (entity) => CHARACTERS[entity] ?? '')).toBe(text);
    }),
  );
});

test('an error is a heading of level 3 and a paragraph with advice', () => {
  expect(htmlFragment('Gone <b>', EN.advice.tryLater)).toMatch(
    /^<h3>Gone &lt;b&gt;<\/h3>\s*<p>[^<]*try again later[^<]*contact support[^<]*<\/p>\s*$/,
  );
});
