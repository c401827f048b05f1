import { formatDate } from '../format.ts';
import { ACTIVITY, type NamedEntry } from '../texts/en/activity.tsx';
import { textsOf } from '../texts/language.ts';
import { nameOf, type AuditDocument, type MemberDocument } from './documents.ts';

/** Only the page of the log loads these texts. */
const activityTexts = textsOf('activity', ACTIVITY);

type Details = AuditDocument['details'];

/** The words for people in one place of a sentence. */
type PeopleWords = ReturnType<typeof activityTexts>['first'];

/** The backend puts a pseudonym in the place of the address of a deleted account. */
function emailIn({ email }: Details, { unknown, deleted }: PeopleWords): string {
  if (email === undefined || email === null) return unknown;
  return email.startsWith('deleted:') ? deleted : email;
}

/** The day until which support gave a plan. Empty for an entry without a date. */
function untilIn({ until }: Details): string {
  const date = new Date(until ?? '');
  return Number.isNaN(date.getTime()) ? '' : formatDate(date);
}

/** An entry of the audit log as a sentence. */
export function sentenceOf(
  entry: Pick<AuditDocument, 'actorId' | 'action' | 'target' | 'details'>,
  uid: string,
  members: readonly Pick<MemberDocument, 'uid' | 'displayName' | 'email'>[],
  texts = activityTexts(),
): string {
  const { actorId, action, target, details } = entry;
  const { first, inside } = texts;
  const name = (id: string, { visitor, former }: PeopleWords) => {
    if (id === uid) return visitor;
    const member = members.find((candidate) => candidate.uid === id);
    return member === undefined ? former : nameOf(member);
  };
  // A page may be older than the backend, which knows new actions.
  const sentences: Partial<Record<string, (entry: NamedEntry) => string>> = texts.sentences;
  return (sentences[action] ?? texts.other)({
    actor: name(actorId, first),
    byVisitor: actorId === uid,
    whom: name(target, inside),
    email: emailIn(details, inside),
    emailFirst: emailIn(details, first),
    until: untilIn(details),
    details,
  });
}
