import type { UserRecord } from 'firebase-admin/auth';
import * as z from 'zod';
import { findActiveUser } from '../../auth/users/find-active-user.ts';
import { VISIBILITIES, type Upload } from '../../firestore/documents/upload.ts';
import { isAlreadyExists } from '../../firestore/failures.ts';
import { hasRefusalCode, Refusal, refusal } from '../../refusals/refusals.ts';
import { teamIdSchema } from '../../teams/team.schema.ts';
import { isWrittenByUs } from '../bucket/metadata.ts';
import { nameOf } from '../bucket/object-path.ts';
import { hasObject } from '../bucket/storage.ts';
import { cleanFileName } from '../files/file-name.ts';
import { validateDeclaredFile } from '../files/validate.ts';
import { ownerWithSender } from '../records/owner.ts';
import { reserveUpload, writeRefusedRecord } from '../records/reserve.service.ts';
import { newUploadRecord, refusalExpiry, uploadIdSchema } from '../records/upload-record.ts';
import { requireVerifiedSender } from '../require-verified-sender.ts';
import type { FinalizeEvent } from './event.ts';

/** The custom metadata that a client may set on an object. */
const metadataSchema = z.object({
  team: teamIdSchema.optional(),
  visibility: z.enum(VISIBILITIES).default('public'),
});

/**
 * Creates the record of a direct upload: reserved, or refused with the reason.
 *
 * @returns undefined if the backend wrote the object, if the path names no active user or no valid id, if the object
 *   was removed before its event arrived, or if the sender is far over the rate limit
 * @throws failures of Firestore, Auth and Storage
 */
export async function registerUpload(event: FinalizeEvent): Promise<Upload | undefined> {
  const { backend, bucket, object, location } = event;
  const { folderId: uid, uploadId } = location;
  if (!uploadIdSchema.safeParse(uploadId).success) return undefined;
  // The backend wrote this object, and its record was removed. Example: an API upload failed, and Storage wrote the
  // object later.
  if (isWrittenByUs(object.metadata)) return undefined;
  if (isFarOverRateLimit(event)) return undefined;
  const [sender, objectExists] = await Promise.all([
    findActiveUser(backend, uid),
    hasObject(bucket, object.path, object.generation),
  ]);
  if (sender === undefined || !objectExists) return undefined;
  try {
    return await reserveOrRefuse(event, sender);
  } catch (error) {
    // A concurrent event has created the record.
    if (isAlreadyExists(error)) return backend.db.uploads.get(uploadId);
    // The account was deleted after the look-up above.
    if (hasRefusalCode(error, 'unauthenticated')) return undefined;
    throw error;
  }
}

/** @throws an error for which `isAlreadyExists` is true; Refusal `unauthenticated` if the account was deleted */
async function reserveOrRefuse(event: FinalizeEvent, sender: UserRecord): Promise<Upload> {
  try {
    return await reserveFor(event, sender);
  } catch (error) {
    if (!isReasonOfRefusal(error)) throw error;
    if (hasRefusalCode(error, 'too_many_requests') && !isFarOverRateLimit(event))
      event.refusals.count(event.location.folderId);
    const record = unvalidatedRecord(event);
    const deleteAt = refusalExpiry(record.createdAt);
    const refused: Upload = { ...record, status: 'refused', reason: error.code, deleteAt };
    await writeRefusedRecord(event.backend, event.location.uploadId, refused);
    return refused;
  }
}

/**
 * True if this instance has refused many uploads of the sender for the rate limit. Such an upload is removed without a
 * record and without further calls, so that one sender cannot delay the uploads of others for long.
 */
function isFarOverRateLimit({ refusals, location }: FinalizeEvent): boolean {
  return refusals.isFull(location.folderId);
}

/**
 * True for a refusal that becomes the reason of the refused upload. After an outage or an unexpected error, Storage
 * sends the event again.
 *
 * - A fault, such as a damaged document, is a reason, because only an operator can repair it.
 * - `too_many_requests` is a reason, because a repeated event would count again.
 * - `unauthenticated` is no reason, because a deleted user reads nothing.
 */
function isReasonOfRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal && error.kind !== 'outage' && !hasRefusalCode(error, 'unauthenticated');
}

/**
 * Reserves the upload for its owner: the sender, or the team that the metadata names.
 *
 * @throws Refusal as `requireVerifiedSender`, `validateDeclaredFile` and `reserveUpload`; `rate_limit_reached`;
 *   `invalid_request` for wrong metadata
 */
async function reserveFor(event: FinalizeEvent, sender: UserRecord): Promise<Upload> {
  const { backend, countUpload, object, location } = event;
  requireVerifiedSender(backend.config, sender);
  await countUpload(sender.uid);
  const { team, visibility } = parseMetadata(object.metadata);
  const owner = ownerWithSender(sender, team);
  const { contentType: declaredType, contentEncoding, size } = object;
  const declared = { name: nameOf(location), declaredType, contentEncoding, size };
  const { fileName, kind } = validateDeclaredFile(declared, backend.config);
  const record = {
    ...unvalidatedRecord(event),
    ownerId: owner.id,
    name: fileName.name,
    contentType: kind.contentType,
    visibility,
  };
  await reserveUpload(backend, owner, location.uploadId, record);
  return record;
}

/** The pending record of a file that is not validated yet. Its owner is the sender. */
function unvalidatedRecord({ backend, object, location }: FinalizeEvent): Upload {
  const { contentType, size, path, generation, md5Hash } = object;
  const name = nameOf(location);
  const { folderId: uid } = location;
  return newUploadRecord({
    ownerId: uid,
    createdBy: uid,
    name: cleanFileName(name)?.name ?? name,
    contentType,
    size,
    path,
    generation,
    md5Hash: md5Hash === '' ? null : md5Hash,
    source: 'client',
    createdAt: backend.now(),
  });
}

function parseMetadata(metadata: FinalizeEvent['object']['metadata']): z.output<typeof metadataSchema> {
  const { success, data, error } = metadataSchema.safeParse(metadata);
  if (!success) throw refusal('invalid_request', { reason: error.message });
  return data;
}
