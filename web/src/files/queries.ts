import { collection, limit, orderBy, query, where, type Timestamp } from 'firebase/firestore';
import { useLiveQuery, type Found, type Live } from '../backend/live.ts';

export interface FileDocument {
  id: string;
  /** The uid of who sent it. */
  createdBy: string | null;
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  url: string | null;
  createdAt: Date;
}

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
    readFile,
  );
}

const readFile = (found: Found): FileDocument => ({
  ...(found as unknown as FileDocument),
  createdAt: (found['createdAt'] as Timestamp).toDate(),
});
