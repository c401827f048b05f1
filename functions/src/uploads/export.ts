import type { Firestore, Query } from 'firebase-admin/firestore';
import { parseDocument } from '../firestore/convert.ts';
import { collectionOf } from '../firestore/documents.ts';
import { uploadSchema, type Upload } from '../firestore/documents/upload.ts';
import { readAll, readOne, type ExportParts } from '../personal-data/export-parts.ts';
import { viewOf } from './manage/upload.view.ts';

/** The parts of an export still receive a Firestore client. */
const uploadsWhere = (firestore: Firestore, field: keyof Upload, uid: string): Query<object> =>
  collectionOf<object>(firestore, 'uploads').where(field, '==', uid);

const parse = (id: string, data: object): Upload => parseDocument(uploadSchema, `uploads/${id}`, data);

export const UPLOADS_EXPORT: ExportParts = {
  uploads: {
    many: (firestore, { uid }) =>
      readAll(uploadsWhere(firestore, 'ownerId', uid), (data, { id }) => viewOf(id, parse(id, data))),
  },
  /** Without links to the files: the user may have left the team. */
  uploadsToTeams: {
    many: async function* (firestore, { uid }) {
      const sent = readAll(uploadsWhere(firestore, 'createdBy', uid), (data, { id }) => ({
        id,
        upload: parse(id, data),
      }));
      for await (const { id, upload } of sent) {
        const { ownerId: teamId, name, contentType, size, status, createdAt } = upload;
        if (teamId !== uid) yield { id, teamId, name, contentType, size, status, createdAt };
      }
    },
  },
  storageUsage: {
    one: (firestore, { uid }) => readOne(collectionOf<object>(firestore, 'usage').doc(uid)),
  },
};
