import type { MapValue } from '../model/value.ts';

/** A document as of one commit. Times are microseconds since the epoch. */
export interface StoredDocument {
  /** Path below the database root, such as `users/alice`. */
  readonly path: string;
  readonly fields: MapValue;
  readonly createTime: number;
  readonly updateTime: number;
}

/** The change of one document by one commit. */
export interface DocumentChange {
  readonly path: string;
  readonly before: StoredDocument | undefined;
  readonly after: StoredDocument | undefined;
}
