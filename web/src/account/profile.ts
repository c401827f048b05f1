import { doc, updateDoc } from 'firebase/firestore';
import { startFirestore } from '../backend/firestore.ts';
import { useLiveDocument, type Live } from '../backend/live.ts';

export interface Profile {
  displayName: string | null;
  activeTeamId: string | null;
}

/** The profile of who is signed in. */
export function useProfile(uid: string): Live<Profile | undefined> {
  return useLiveDocument(
    `profile ${uid}`,
    (firestore) => doc(firestore, 'users', uid),
    (found) => ({
      displayName: found['displayName'] as string | null,
      activeTeamId: found['activeTeamId'] as string | null,
    }),
  );
}

/** Remembers which team is shown first. Firestore shows it at once, and undoes it where the write is refused. */
export async function setActiveTeam(uid: string, teamId: string): Promise<void> {
  await updateDoc(doc(await startFirestore(), 'users', uid), { activeTeamId: teamId });
}
