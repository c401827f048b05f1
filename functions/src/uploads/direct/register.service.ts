import type { UserRecord } from 'firebase-admin/auth';
import * as z from 'zod';
import { ALREADY_EXISTS, hasCode, USER_NOT_FOUND } from '../../common/error-code.ts';
import { Refusal } from '../../refusals.ts';
import { validate } from '../../http/validate.ts';
import type { Backend } from '../../backend.ts';
import { teamIdSchema } from '../../teams/team.schema.ts';
import { cleanFileName } from '../files/file-name.ts';
import { judgeClaim } from '../files/validate.ts';
import { nameOf, type ObjectPath } from '../bucket/object-path.ts';
import { ownerOf } from '../owner.ts';
import type { ArrivedObject, Reception } from './arrival.ts';
import { requireVerified } from '../require-verified.ts';
import { reserve } from '../reserve.service.ts';
import { hasObject } from '../bucket/storage.ts';
import { refusedUntil, uploadRef, type Upload, type UploadDocument } from '../upload.store.ts';
import { uploadIdSchema } from '../upload-id.ts';

/** What of a document matters to the object that it tells of. */
export type Known = Pick<
  UploadDocument,
  | 'ownerId'
  | 'name'
  | 'contentType'
  | 'path'
  | 'generation'
  | 'md5Hash'
  | 'source'
  | 'visibility'
  | 'status'
  | 'url'
  | 'variants'
  | 'plannedVariants'
>;

/** What a client may say in the custom metadata of an object. */
const metadataSchema = z.object({
  team: teamIdSchema.optional(),
  visibility: z.enum(['public', 'private']).default('public'),
});

/**
 * Makes the document of an object that a client has sent: pending and counted, or refused with the reason.
 *
 * @returns undefined for an object that cannot be anybody's, or that was removed before its event came
 * @throws what Firestore or Auth fail with
 */
export async function claim(
  { backend, config, take }: Reception,
  where: ObjectPath,
  object: ArrivedObject,
): Promise<Known | undefined> {
  const { ownerId: uid, uploadId } = where;
  if (!uploadIdSchema.safeParse(uploadId).success) return undefined;
  const [user, isThere] = await Promise.all([findUser(backend, uid), isObjectThere(backend, object)]);
  if (user === undefined || !isThere) return undefined;
  const upload = arrived(backend.now(), uid, nameOf(where), object);
  try {
    requireVerified(config, user);
    await take(uid);
    const { team, visibility } = validate(metadataSchema, object.metadata);
    const owner = ownerOf(config, { uid }, team);
    const { contentType: declaredType, contentEncoding, size } = object;
    const claimed = { name: nameOf(where), declaredType, contentEncoding, size };
    const { name, kind } = judgeClaim(claimed, config);
    const accepted: Upload = {
      ...upload,
      ownerId: owner.id,
      name: name.name,
      contentType: kind.contentType,
      visibility,
    };
    await reserve(backend, owner, uploadId, accepted);
    return accepted;
  } catch (error) {
    if (error instanceof Refusal && !error.isOutage) {
      return saveRefused(backend, uploadId, upload, error.code);
    }
    return byAnother(backend, uploadId, error);
  }
}

function arrived(now: Date, uid: string, name: string, object: ArrivedObject): Upload {
  return {
    ownerId: uid,
    createdBy: uid,
    name: cleanFileName(name)?.name ?? name,
    contentType: object.contentType,
    size: object.size,
    path: object.name,
    generation: object.generation,
    md5Hash: object.md5Hash === '' ? null : object.md5Hash,
    source: 'client',
    visibility: 'public',
    status: 'pending',
    reason: null,
    url: null,
    dimensions: null,
    variants: [],
    plannedVariants: [],
    createdAt: now,
    deleteAt: null,
  };
}

async function saveRefused(
  backend: Backend,
  id: string,
  upload: Upload,
  reason: string,
): Promise<Known | undefined> {
  const refused: Upload = { ...upload, status: 'refused', reason, deleteAt: refusedUntil(upload.createdAt) };
  try {
    await (await backend.firestore()).doc(`uploads/${id}`).create(refused);
    return refused;
  } catch (error) {
    return byAnother(backend, id, error);
  }
}

/** The same event may have been here at the same time: then the document is the one that it made. */
async function byAnother(backend: Backend, id: string, error: unknown): Promise<Known | undefined> {
  if (!hasCode(error, ALREADY_EXISTS)) throw error;
  return (await uploadRef(await backend.firestore(), id).get()).data();
}

async function isObjectThere(backend: Backend, { name, generation }: ArrivedObject): Promise<boolean> {
  return hasObject(await backend.bucket(), name, generation);
}

/** The account as it is now; undefined if it is deleted or disabled. */
async function findUser({ auth }: Backend, uid: string): Promise<UserRecord | undefined> {
  try {
    const user = await auth.getUser(uid);
    return user.disabled ? undefined : user;
  } catch (error) {
    if (hasCode(error, USER_NOT_FOUND)) return undefined;
    throw error;
  }
}
