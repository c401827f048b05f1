import * as z from 'zod';

export { profileSchema, type Profile } from '@hearth/shared/documents/user';

/**
 * `users/{uid}/sessions/{sessionId}`: a session by cookie. A cookie without its document is refused. Therefore deleting
 * the document ends one session. Firebase Auth can only end all sessions of a user together.
 */
export const sessionSchema = z.object({
  /** Firebase's name of the sign-in method, such as `password` or `google.com`. */
  signInMethod: z.string(),
  /** Ids of the user at the provider of this method; empty in documents of an older version. */
  providerUids: z.array(z.string()).default([]),
  userAgent: z.string().nullable(),
  signedInAt: z.date(),
  /** When the cookie expires, by the clock of Firebase Auth. The TTL policy deletes the document after that. */
  expiresAt: z.date(),
});

export type SessionDocument = z.output<typeof sessionSchema>;
