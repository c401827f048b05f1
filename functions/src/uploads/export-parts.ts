import type { Db } from '../firestore/db.ts';
import type { Upload } from '../firestore/documents/upload.ts';
import type { Placed } from '../firestore/query.ts';
import {
  exportAll,
  type ExportedUser,
  type ExportList,
  type ExportParts,
} from '../personal-data/export-parts.ts';
import { uploadViewOf } from './records/upload.view.ts';

export const UPLOADS_EXPORT: ExportParts = {
  uploads: {
    many: (db, { uid }) =>
      exportAll(db.uploads.where('ownerId', '==', uid), ({ id, data }) => uploadViewOf(id, data)),
  },
  /** Without links to the files: the user may have left the team. */
  uploadsToTeams: { many: uploadsToTeams },
  storageUsage: { one: async (db, { uid }) => (await db.storageUsage.get(uid)) ?? null },
};

async function* uploadsToTeams(db: Db, { uid }: ExportedUser): ExportList {
  for await (const sent of exportAll(db.uploads.where('createdBy', '==', uid), viewWithOwner)) {
    if (sent?.teamId !== uid) yield sent;
  }
}

function viewWithOwner({ id, data }: Placed<Upload>) {
  const { ownerId: teamId, name, contentType, size, status, createdAt } = data;
  return { id, teamId, name, contentType, size, status, createdAt };
}
