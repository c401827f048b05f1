import type { Upload } from '../../firestore/documents/upload.ts';
import type { FinalizedObject } from './event.ts';

type Recorded = Pick<Upload, 'generation' | 'md5Hash'>;
type Finalized = Pick<FinalizedObject, 'generation' | 'md5Hash'>;

/** True if the record already names a later generation than the event. Generations are numbers of up to 64 bits. */
export function isEventOutdated(object: Finalized, { generation }: Recorded): boolean {
  return generation !== null && BigInt(object.generation) < BigInt(generation);
}

/** True if the object was overwritten with other bytes than those that were registered or stored. */
export function hasOtherBytes(object: Finalized, { md5Hash }: Recorded): boolean {
  return md5Hash !== null && md5Hash !== object.md5Hash;
}

/**
 * True if a stored file needs a new URL:
 *
 * - The record has an earlier generation than the object. The file was overwritten with the same bytes, or `revokeUrls`
 *   or `renewUrl` was interrupted after it had copied the object.
 * - The record has the generation of the object, but no URL. `renewUrl` was interrupted before it copied the object.
 */
export function needsUrl(record: Recorded & Pick<Upload, 'status' | 'url'>, object: Finalized): boolean {
  const { status, url, generation } = record;
  if (status !== 'stored') return false;
  const isLater = generation !== null && BigInt(object.generation) > BigInt(generation);
  return isLater || (url === null && generation === object.generation);
}
