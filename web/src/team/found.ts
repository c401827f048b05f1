import type { Live } from '../backend/source.ts';
import { nameOf, type MemberDocument } from './documents.ts';

/**
 * The beginnings of names that a search text matches: the text as typed, and with a capital letter in each word if that
 * differs. Firestore compares exactly.
 */
export function prefixesOf(text: string): [typed: string, capitalized: string | undefined] {
  const capitalized = text
    .toLowerCase()
    .replace(/(^|[\s-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
  return [text, capitalized === text ? undefined : capitalized];
}

/** The members of several searches, each once, sorted by name. Known when all searches are. */
export function mergedMembers(searches: readonly Live<MemberDocument[]>[]): Live<MemberDocument[]> {
  const members = new Map<string, MemberDocument>();
  for (const search of searches) {
    if (search.state !== 'ready') return search;
    for (const member of search.value) members.set(member.uid, member);
  }
  const value = [...members.values()].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  return { state: 'ready', value };
}
