import type { Upload } from '../../firestore/documents/upload.ts';
import type { FinalizedObject } from './event.ts';

type Recorded = Pick<Upload, 'generation' | 'md5Hash'>;
type Finalized = Pick<FinalizedObject, 'generation' | 'md5Hash'>;

/** True if the record already has a later generation than the event. Generations are numbers of up to 64 bits. */
export function isOutdated({ generation }: Recorded, object: Finalized): boolean {
  return generation !== null && BigInt(object.generation) < BigInt(generation);
}

/** True if the object was overwritten with other bytes than those that were validated. */
export function hasOtherBytes({ md5Hash }: Recorded, object: Finalized): boolean {
  return md5Hash !== null && md5Hash !== object.md5Hash;
}

/**
 * True if a stored file needs a new URL: its generation was not written by us, or giving it a URL was interrupted.
 */
export function needsUrl(record: Recorded & Pick<Upload, 'status' | 'url'>, object: Finalized): boolean {
  const { status, url, generation } = record;
  if (status !== 'stored') return false;
  const isForeign = generation !== null && BigInt(object.generation) > BigInt(generation);
  return isForeign || (url === null && generation === object.generation);
}
