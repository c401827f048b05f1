import * as z from 'zod';
import { emulatedFilesUrl } from '../settings/environment.ts';
import { cleanName } from './name.ts';

/** The URL of a user's picture: any https URL, or a URL of one of our files at the Storage emulator. */
export const photoUrlSchema = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine(isHttpsOrEmulated, 'is not an https URL');

function isHttpsOrEmulated(url: string): boolean {
  // Zod also calls this for a text that is no URL.
  if (URL.parse(url)?.protocol === 'https:') return true;
  const ours = emulatedFilesUrl();
  return ours !== undefined && url.startsWith(ours);
}

export interface NameAndPicture {
  displayName: string | undefined;
  photoURL: string | undefined;
}

/**
 * Cleans the name and picture of a user. Every profile from Firebase Auth passes here, because client SDKs can write
 * any text there.
 */
export function nameAndPictureOf(user: {
  displayName?: string | undefined;
  photoURL?: string | undefined;
}): NameAndPicture {
  return {
    displayName: cleanName(user.displayName) ?? undefined,
    photoURL: photoUrlSchema.safeParse(user.photoURL).data,
  };
}
