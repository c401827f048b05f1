import { collection, limit, orderBy, query, where } from 'firebase/firestore';
import * as z from 'zod/mini';
import { useLiveQuery } from '../backend/live.ts';
import type { Live } from '../backend/source.ts';
import { timestamp } from '../backend/schema.ts';

export const fileSchema = z.object({
  id: z.string(),
  /** The uid of the sender. */
  createdBy: z.nullable(z.string()),
  name: z.string(),
  contentType: z.string(),
  /** Bytes. */
  size: z.number(),
  url: z.nullable(z.string()),
  createdAt: timestamp,
});

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
