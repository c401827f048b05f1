import { uploadSchema } from '@hearth/shared/documents/upload';
import { collection, limit, orderBy, query, where } from 'firebase/firestore';
import * as z from 'zod/mini';
import { useLiveQuery } from '../backend/live.ts';
import type { Live } from '../backend/source.ts';

export const fileSchema = z.extend(
  z.pick(uploadSchema, {
    createdBy: true,
    name: true,
    contentType: true,
    size: true,
    url: true,
    createdAt: true,
  }),
  { id: z.string() },
);

export type FileDocument = z.output<typeof fileSchema>;

/** The stored uploads of a user or a team, newest first. */
export function useFiles(ownerId: string, most: number): Live<FileDocument[]> {
  return useLiveQuery(
    `files ${ownerId} ${most}`,
    (firestore) =>
      query(
        collection(firestore, 'uploads'),
        where('ownerId', '==', ownerId),
        where('status', '==', 'stored'),
        orderBy('createdAt', 'desc'),
        limit(most),
      ),
    fileSchema,
  );
}
