import { changeFound, type RemoveTraces } from '../personal-data/removal.ts';
import { uploadsBy } from './upload.store.ts';

/** Files that a deleted user has sent to teams: they are the teams', and stay. */
export const forgetSender: RemoveTraces = async (backend, { uid, pseudonym }, most) => {
  const firestore = await backend.firestore();
  return changeFound(firestore, uploadsBy(firestore, uid), most, (transaction, found) => {
    for (const { ref } of found) transaction.update(ref, { createdBy: pseudonym });
  });
};
