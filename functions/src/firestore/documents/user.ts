import * as z from 'zod';

/** `users/{uid}`: the profile. Its user reads it, and may change the names, the picture and the active team. */
export const profileSchema = z.object({
  /** The address in Firebase Auth, lower case. */
  email: z.string().nullable().default(null),
  displayName: z.string().nullable().default(null),
  photoURL: z.string().nullable().default(null),
  createdAt: z.date(),
  /** The team that the apps show first. */
  activeTeamId: z.string().nullable().default(null),
  /** Sign-ins before this time have been ended everywhere. By the clock of Firebase Auth. */
  signInsEndedAt: z.date().exactOptional(),
});

export type Profile = z.output<typeof profileSchema>;

/**
 * `users/{uid}/sessions/{sessionId}`: a session by cookie. A cookie without its document is refused, because Firebase Auth
 * can only end all sessions of a user at once.
 */
export const sessionSchema = z.object({
  /** Firebase's name of the sign-in method, such as `password` or `google.com`. */
  signInMethod: z.string(),
  /** Ids of the user at that provider; empty in documents of an older version. */
  providerUids: z.array(z.string()).default([]),
  userAgent: z.string().nullable(),
  signedInAt: z.date(),
  /** When the cookie expires, by the clock of Firebase Auth. The TTL policy deletes the document after that. */
  expiresAt: z.date(),
});

export type SessionDocument = z.output<typeof sessionSchema>;
