import * as z from 'zod';
import { cleanName } from './name.ts';

/** The address of a user's picture. */
export const photoUrlSchema = z.url({ protocol: /^https$/ }).max(2048);

export interface UserProfile {
  displayName: string | undefined;
  photoURL: string | undefined;
}

/**
 * Name and picture of a user as the backend stores and shows them. Client SDKs write any text of any length to Firebase
 * Auth, past the rules of the API, so everything that is read from there goes through here.
 */
export function profileOf(user: {
  displayName?: string | undefined;
  photoURL?: string | undefined;
}): UserProfile {
  return {
    displayName: cleanName(user.displayName) ?? undefined,
    photoURL: photoUrlSchema.safeParse(user.photoURL).data,
  };
}
