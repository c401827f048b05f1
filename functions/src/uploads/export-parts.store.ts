import type { Upload } from '../firestore/documents/upload.ts';
import type { Found } from '../firestore/query.ts';
import { exportAll, type ExportParts } from '../personal-data/export-parts.ts';
import { uploadViewOf } from './records/upload.view.ts';

export const UPLOADS_EXPORT: ExportParts = {
  uploads: {
    many: (db, { uid }) =>
      exportAll(db.uploads.where('ownerId', '==', uid), ({ id, data }) => uploadViewOf(id, data)),
  },
  /** Without links to the files: the user may have left the team. */
  uploadsToTeams: {
    many: (db, { uid }) => {
      const sent = db.uploads.where('createdBy', '==', uid);
      return exportAll(sent.where('ownerId', '!=', uid).orderBy('ownerId'), viewWithOwner);
    },
  },
  storageUsage: { one: async (db, { uid }) => (await db.storageUsage.get(uid)) ?? null },
};

function viewWithOwner({ id, data }: Found<Upload>) {
  const { ownerId: teamId, name, contentType, size, status, createdAt } = data;
  return { id, teamId, name, contentType, size, status, createdAt };
}
