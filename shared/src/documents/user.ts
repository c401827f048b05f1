import * as z from 'zod/mini';

/** `users/{uid}`: the profile. Its user can read it, and may change the name, the picture and the active team. */
export const profileSchema = z.object({
  /** The address in Firebase Auth, lower case. */
  email: z._default(z.nullable(z.string()), null),
  /** Whether the user has verified the address. Older profiles lack this field until the next sign-in. */
  emailVerified: z.exactOptional(z.boolean()),
  displayName: z._default(z.nullable(z.string()), null),
  photoURL: z._default(z.nullable(z.string()), null),
  createdAt: z.date(),
  /** The team that the apps show first. */
  activeTeamId: z._default(z.nullable(z.string()), null),
  /** All sign-ins from before this time were ended. The time is by the clock of Firebase Auth. */
  signInsEndedAt: z.exactOptional(z.date()),
});

export type Profile = z.output<typeof profileSchema>;
