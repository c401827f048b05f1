import { readAll, readOne, type ExportParts } from '../personal-data/export-parts.ts';
import { uploadsBy, uploadsOf } from './upload.store.ts';
import { viewOf } from './upload.view.ts';
import { usageRef } from './usage.store.ts';

export const UPLOADS_EXPORT: ExportParts = {
  uploads: {
    many: (firestore, { uid }) => readAll(uploadsOf(firestore, uid), (upload, { id }) => viewOf(id, upload)),
  },
  /** Also of teams that the user has left: so without links to the files, which are the teams'. */
  uploadsToTeams: {
    many: async function* (firestore, { uid }) {
      const sent = readAll(uploadsBy(firestore, uid), ({ ownerId, ...upload }, { id }) => ({
        id,
        ownerId,
        upload,
      }));
      for await (const { id, ownerId: teamId, upload } of sent) {
        if (teamId === uid) continue;
        const { name, contentType, size, status, createdAt } = upload;
        yield { id, teamId, name, contentType, size, status, createdAt };
      }
    },
  },
  storageUsage: { one: (firestore, { uid }) => readOne(usageRef(firestore, uid)) },
};
