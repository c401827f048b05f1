import type { Bucket } from '../../backend-clients.ts';
import type { Backend } from '../../backend.ts';
import type { WindowCounter } from '../../rate-limits/window-counter.ts';
import type { ObjectPathParts } from '../bucket/object-path.ts';

/** One generation of an object, as the finalize event of Storage describes it. */
export interface FinalizedObject {
  path: string;
  generation: string;
  /** MD5 of the bytes, in base64; '' if Storage did not compute it. */
  md5Hash: string;
  /** Bytes. */
  size: number;
  contentType: string;
  /** The content encoding that the sender declared; '' if none. */
  contentEncoding: string;
  metadata: Readonly<Record<string, string>>;
}

export interface FinalizeContext {
  backend: Backend;
  /**
   * Counts a direct upload against the rate limit of its sender. API uploads count against the same limit.
   *
   * @throws Refusal `rate_limit_reached`
   */
  countUpload: (uid: string) => Promise<void>;
  /** Counts the direct uploads of a sender that this instance has refused for the rate limit. */
  refusals: WindowCounter;
}

export interface FinalizeEvent extends FinalizeContext {
  bucket: Bucket;
  object: FinalizedObject;
  location: ObjectPathParts;
}
