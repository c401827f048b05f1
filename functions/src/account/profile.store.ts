import type { Firestore, Timestamp } from 'firebase-admin/firestore';
import { collectionOf } from '../documents.ts';
import type { Caller } from '../http/caller.ts';
import { transact } from '../transaction.ts';

/** `users/{uid}`: read by its user, who may change the names, the picture and the active team. */
export interface Profile {
  /** As Firebase Auth knows it, lower case. */
  email: string | null;
  displayName: string | null;
  photoURL: string | null;
  createdAt: Timestamp;
  /** The team that the apps show first. */
  activeTeamId: string | null;
}

export type ProfileChange = Partial<Pick<Profile, 'displayName' | 'photoURL'>>;

/**
 * Makes the profile on the first call for a user; later it only follows a new e-mail address and what is asked for.
 * Reads one document, and writes it if something changes.
 */
export async function saveProfile(
  firestore: Firestore,
  caller: Caller,
  now: Date,
  change: ProfileChange = {},
): Promise<void> {
  const ref = collectionOf<Profile>(firestore, 'users').doc(caller.uid);
  await transact(firestore, async (transaction) => {
    const profile = (await transaction.get(ref)).data();
    const email = caller.email ?? null;
    if (profile === undefined) {
      transaction.create(firestore.doc(ref.path), {
        email,
        displayName: caller.displayName ?? null,
        photoURL: caller.photoURL ?? null,
        createdAt: now,
        activeTeamId: null,
        ...change,
      });
    } else if (profile.email !== email || Object.keys(change).length > 0) {
      transaction.update(ref, { email, ...change });
    }
  });
}
