import type { TokenOptions } from '@firebase/rules-unit-testing';

/** All actors. The first three are members of the team `acme`; the other team is `other`. */
export const ACTORS = {
  'signed out': null,
  owner: { email: 'owner@example.com', email_verified: true },
  admin: { email: 'admin@example.com', email_verified: true },
  member: { email: 'member@example.com', email_verified: true },
  'other owner': { email: 'other@example.com', email_verified: true },
  invitee: { email: 'Invitee@example.com', email_verified: true },
  unverified: { email: 'invitee@example.com', email_verified: false },
  stranger: { email: 'stranger@example.com', email_verified: true },
  subscriber: {
    email: 'subscriber@example.com',
    email_verified: true,
    plan: 'pro',
    entitlements: ['export'],
  },
} as const satisfies Record<string, TokenOptions | null>;

export type Actor = keyof typeof ACTORS;

export const EVERYBODY = Object.keys(ACTORS) as Actor[];
export const SIGNED_IN = EVERYBODY.filter((actor) => ACTORS[actor] !== null);
export const TEAM: readonly Actor[] = ['owner', 'admin', 'member'];
export const ADMINS: readonly Actor[] = ['owner', 'admin'];
export const NOBODY: readonly Actor[] = [];

/** Letters and digits only, as Firebase's own. */
export function uidOf(actor: Actor): string {
  return actor.replaceAll(' ', '');
}
