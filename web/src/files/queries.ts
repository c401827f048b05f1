import { collection, limit, orderBy, query, where, type Timestamp } from 'firebase/firestore';
import { useLiveQuery, type Found, type Live } from '../backend/live.ts';

export interface FileDocument {
  id: string;
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  url: string | null;
  createdAt: Date;
}

const MOST_FILES = 100;

/** What is stored for a user, newest first. */
export function useFiles(uid: string): Live<FileDocument[]> {
  return useLiveQuery(
    `files ${uid}`,
    (firestore) =>
      query(
        collection(firestore, 'uploads'),
        where('ownerId', '==', uid),
        where('status', '==', 'stored'),
        orderBy('createdAt', 'desc'),
        limit(MOST_FILES),
      ),
    readFile,
  );
}

const readFile = (found: Found): FileDocument => ({
  ...(found as unknown as FileDocument),
  createdAt: (found['createdAt'] as Timestamp).toDate(),
});
