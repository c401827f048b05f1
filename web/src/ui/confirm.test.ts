import { expect, it } from 'vitest';
import { UserFacingError } from '../errors.ts';
import { requireTyped } from './confirm.tsx';

it.each([
  ['as it is', 'Acme Tools', 'Acme Tools'],
  ['with spaces around it', 'Acme Tools', ' Acme Tools '],
  ['with two spaces, which a page shows as one', 'Acme  Tools', 'Acme Tools'],
  ['with a space that does not break', 'Acme\u00A0Tools', 'Acme Tools'],
  ['with an accented letter of two characters', 'Cafe\u0301', 'Caf\u00E9'],
])('a name is confirmed as a person sees it: %s', (_case, name, typed) => {
  expect(() => {
    requireTyped(name, typed);
  }).not.toThrow();
});

it.each(['', 'acme tools', 'AcmeTools', 'Acme'])('another text confirms nothing: %s', (typed) => {
  expect(() => {
    requireTyped('Acme  Tools', typed);
  }).toThrow(UserFacingError);
});
