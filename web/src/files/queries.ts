import { uploadSchema, storageUsageSchema } from '@hearth/shared/documents/upload';
import { collection, doc, limit, orderBy, query, where } from 'firebase/firestore';
import * as z from 'zod/mini';
import { useLiveDocument, useLiveQuery } from '../backend/live.ts';
import type { Live } from '../backend/source.ts';

export const fileSchema = z.extend(
  z.pick(uploadSchema, {
    createdBy: true,
    name: true,
    contentType: true,
    size: true,
    url: true,
    visibility: true,
    variants: true,
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

/** Bytes of all files of a user or a team; undefined if there has never been one. */
export function useStorageUsage(ownerId: string): Live<number | undefined> {
  return useLiveDocument(`usage ${ownerId}`, (firestore) => doc(firestore, 'usage', ownerId), bytesSchema);
}

const bytesSchema = z.pipe(
  storageUsageSchema,
  z.transform(({ bytes }) => bytes),
);
