import type { Caller } from '../auth/caller.ts';
import { withQuery } from '../common/url.ts';

/** The user or team whose billing a request is about, and who acts for it. */
export interface Subject {
  /** A uid or the id of a team. It is also the id of the document in `customers`, if there is one. */
  customerId: string;
  type: 'user' | 'team';
  /** Address of a new Stripe customer. It need not be verified, because Stripe's page accepts any address, too. */
  email: string | null;
  /** Name of a new Stripe customer. */
  name: string | null;
  /** The uid of the user, or of the responsible owner of the team. */
  ownerId: string;
  /** The caller. In a checkout this is the buyer. */
  actor: {
    uid: string;
    email: string | null;
    emailVerified: boolean;
  };
}

export type SubjectKey = Pick<Subject, 'type' | 'customerId'>;

/**
 * The field of Stripe's metadata that has the id of the user or team:
 *
 * - The Stripe customer of a user `u1`, and the subscriptions and payments of this user: `{ firebaseUID: 'u1' }`.
 * - The Stripe customer of a team `t1`: `{ teamId: 't1' }`.
 * - A subscription that `u1` bought for `t1`: `{ teamId: 't1', firebaseUID: 'u1', ownerId: … }`. Here `firebaseUID` is
 *   the buyer, and not the subject.
 *
 * The Stripe extension chose the name `firebaseUID`.
 */
export const SUBJECT_METADATA_FIELD = { user: 'firebaseUID', team: 'teamId' } as const;

/** The field that has the uid of the buyer, in metadata that name a team. */
export const BUYER_METADATA_FIELD = SUBJECT_METADATA_FIELD.user;

/** The uids of the responsible owner and of the buyer in the metadata of a subscription, as far as they are named. */
export function personIdsIn(metadata: Readonly<Record<string, string>>): (string | undefined)[] {
  return [metadata['ownerId'], metadata[BUYER_METADATA_FIELD]];
}

type BuyingCaller = Pick<Caller, 'uid' | 'email' | 'emailVerified'>;

export function userSubject(caller: BuyingCaller & Pick<Caller, 'displayName'>): Subject {
  const { uid, email, displayName } = caller;
  return {
    customerId: uid,
    type: 'user',
    email: email ?? null,
    name: displayName ?? null,
    ownerId: uid,
    actor: actorOf(caller),
  };
}

export function actorOf({ uid, email, emailVerified }: BuyingCaller): Subject['actor'] {
  return { uid, email: email ?? null, emailVerified };
}

/** Adds the team to the query of a path of the app. Returns the path unchanged for a user. */
export function withTeamQuery(path: string, { type, customerId }: SubjectKey): string {
  return type === 'team' ? withQuery(path, { team: customerId }) : path;
}
