import { isDeepStrictEqual } from 'node:util';
import type { DocumentReference, Firestore, Timestamp } from 'firebase-admin/firestore';
import { collectionOf } from '../firestore/documents.ts';
import type { Caller } from '../auth/caller.ts';
import { transact } from '../firestore/transaction.ts';

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

/** Where the sweep of profiles notes how far it has come. */
const SWEEP_PATH = 'sweeps/accounts';

export type ProfileChange = Partial<Pick<Profile, 'displayName' | 'photoURL'>>;

/** A user as Firebase Auth knows them. */
export type KnownUser = Pick<Caller, 'uid' | 'email' | 'displayName' | 'photoURL'>;

/**
 * Makes the profile on the first call for a user; later it only follows a new e-mail address and what is asked for, and
 * gets the name and the picture that it lacks: many clients set them a moment after they made the account.
 * Reads one document, and writes it if something changes.
 */
export async function saveProfile(
  firestore: Firestore,
  user: KnownUser,
  now: Date,
  change: ProfileChange = {},
): Promise<void> {
  const ref = profileRef(firestore, user.uid);
  const known = {
    email: user.email ?? null,
    displayName: user.displayName ?? null,
    photoURL: user.photoURL ?? null,
  };
  await transact(firestore, async (transaction) => {
    const profile = (await transaction.get(ref)).data();
    if (profile === undefined) {
      transaction.create(firestore.doc(ref.path), {
        ...known,
        createdAt: now,
        activeTeamId: null,
        ...change,
      });
      return;
    }
    const { email, displayName, photoURL } = profile;
    const after = {
      email: known.email,
      displayName: displayName ?? known.displayName,
      photoURL: photoURL ?? known.photoURL,
      ...change,
    };
    if (!isDeepStrictEqual({ email, displayName, photoURL }, after)) transaction.update(ref, after);
  });
}

export function profileRef(firestore: Firestore, uid: string): DocumentReference<Profile> {
  return collectionOf<Profile>(firestore, 'users').doc(uid);
}

export async function readEmail(firestore: Firestore, uid: string): Promise<string | undefined> {
  return (await profileRef(firestore, uid).get()).data()?.email ?? undefined;
}

export async function deleteProfile(firestore: Firestore, uid: string): Promise<void> {
  await firestore.doc(`users/${uid}`).delete();
}

/** The uids of users with a profile, in their order, after one of them or from the first. */
export async function readProfileIds(
  firestore: Firestore,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const profiles = firestore.collection('users').orderBy('__name__').select().limit(limit);
  const { docs } = await (after === null ? profiles : profiles.startAfter(after)).get();
  return docs.map(({ id }) => id);
}

/** The uid up to which the sweep of profiles has come; null at the beginning. */
export async function readSweepPosition(firestore: Firestore): Promise<string | null> {
  const position = await firestore.doc(SWEEP_PATH).get();
  return (position.get('after') as string | null | undefined) ?? null;
}

export async function saveSweepPosition(firestore: Firestore, after: string | null): Promise<void> {
  await firestore.doc(SWEEP_PATH).set({ after });
}
