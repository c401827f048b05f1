import type { Forget } from '../../personal-data/purge.ts';
import { uploadsBy } from '../records/upload.store.ts';

/** Replaces a deleted user as the sender of files. The files belong to teams and stay. */
export const forgetSenderOfUploads: Forget = ({ db }, { uid, pseudonym }, limit) =>
  db.changeBatch(
    (reads) => uploadsBy(reads, uid),
    limit,
    (tx, found) => {
      for (const { id } of found) tx.uploads.update(id, { createdBy: pseudonym });
    },
  );
