import * as z from 'zod';
import type { Caller } from '../auth/caller.ts';

/** The fields of a user that the API shows to this user. */
export const userView = z
  .strictObject({
    uid: z.string(),
    email: z.string().nullable(),
    emailVerified: z.boolean(),
    displayName: z.string().nullable(),
    photoURL: z.string().nullable(),
  })
  .meta({ id: 'User' });

export type UserView = z.output<typeof userView>;

export function userViewOf(caller: Caller): UserView {
  return {
    uid: caller.uid,
    email: caller.email ?? null,
    emailVerified: caller.emailVerified,
    displayName: caller.displayName ?? null,
    photoURL: caller.photoURL ?? null,
  };
}
