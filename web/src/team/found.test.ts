import { expect, it } from 'vitest';
import type { Live } from '../backend/source.ts';
import type { MemberDocument } from './documents.ts';
import { mergedMembers, prefixesOf } from './found.ts';

it.each([
  ['bob', ['bob', 'Bob']],
  ['bob birch', ['bob birch', 'Bob Birch']],
  ['ANN-marie', ['ANN-marie', 'Ann-Marie']],
  ['ödön', ['ödön', 'Ödön']],
  ['Bob', ['Bob', undefined]],
  ['1', ['1', undefined]],
])('the search text %j matches names that begin with one of %j', (text, prefixes) => {
  expect(prefixesOf(text)).toEqual(prefixes);
});

const member = (uid: string, displayName: string): MemberDocument => ({
  uid,
  displayName,
  email: `${uid}@team.example`,
  role: 'member',
  joinedAt: new Date(0),
});

const ready = (...value: MemberDocument[]): Live<MemberDocument[]> => ({ state: 'ready', value });

it('a member whom two searches find is listed once, and all are sorted by name', () => {
  const [ann, bob] = [member('a', 'Ann'), member('b', 'Bob')];
  expect(mergedMembers([ready(bob), ready(bob, ann)])).toEqual(ready(ann, bob));
});

it('the members are not known before all searches have ended', () => {
  expect(mergedMembers([ready(), { state: 'loading' }])).toEqual({ state: 'loading' });
});
