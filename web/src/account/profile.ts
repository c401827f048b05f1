import { profileSchema as storedProfile } from '@hearth/shared/documents/user';
import { doc, updateDoc } from 'firebase/firestore';
import * as z from 'zod/mini';
import { startFirestore, useLiveDocument } from '../backend/live.ts';
import type { Live } from '../backend/source.ts';

export const profileSchema = z.pick(storedProfile, { displayName: true, photoURL: true, activeTeamId: true });

export type Profile = z.output<typeof profileSchema>;

/** The profile of the signed-in user. */
export function useProfile(uid: string): Live<Profile | undefined> {
  return useLiveDocument(`profile ${uid}`, (firestore) => doc(firestore, 'users', uid), profileSchema);
}

/** Remembers which team is shown first. Firestore shows it immediately, and undoes it if the write is refused. */
export async function setActiveTeam(uid: string, teamId: string): Promise<void> {
  await updateDoc(doc(await startFirestore(), 'users', uid), { activeTeamId: teamId });
}
