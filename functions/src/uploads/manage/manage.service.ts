import type { Action } from '@hearth/shared/roles';
import { changePictureOfProfile, changeUser } from '../../account/user.service.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Bucket } from '../../backend-clients.ts';
import type { Backend } from '../../backend.ts';
import type { Reads, Tx } from '../../firestore/db.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { readPage, type PageRequest, type PageOf } from '../../firestore/page.ts';
import { hasRefusalCode, refusal } from '../../refusals/refusals.ts';
import { authorize } from '../../teams/authorize.store.ts';
import { isMissingOrChanged } from '../bucket/failures.ts';
import { downloadUrl } from '../bucket/metadata.ts';
import { rewriteObject } from '../bucket/storage.ts';
import { replaceVariantTokens } from '../bucket/variants.ts';
import { dispositionOf } from '../files/kinds.ts';
import { removeUpload } from '../records/remove.service.ts';
import { uploadsOf } from '../records/upload.store.ts';
import { uploadViewOf, type UploadView } from '../records/upload.view.ts';

/**
 * The stored uploads of the caller or of a team, newest first.
 *
 * @throws Refusal as `authorize`, for a team
 */
export async function listUploads(
  { db }: Backend,
  caller: Caller,
  teamId: string | undefined,
  page: PageRequest,
): Promise<PageOf<UploadView>> {
  if (teamId !== undefined) await authorize(db, caller, teamId, 'upload:read');
  const stored = uploadsOf(db, teamId ?? caller.uid).where('status', '==', 'stored');
  const order = { by: 'createdAt', direction: 'desc' } as const;
  return readPage(stored, page, order, ({ id, data }) => uploadViewOf(id, data));
}

/** @throws Refusal `upload_not_found` */
export async function describeUpload({ db }: Backend, caller: Caller, id: string): Promise<UploadView> {
  return uploadViewOf(id, await allowedUpload(db, caller, id, () => 'upload:read'));
}

/**
 * Removes a file and gives its bytes back to the quota. If the file is the caller's profile picture, the profile has no
 * picture afterwards.
 *
 * @throws Refusal `upload_not_found`, `forbidden`
 */
export async function deleteUpload(backend: Backend, caller: Caller, id: string): Promise<void> {
  const upload = await allowedUpload(backend.db, caller, id, actionToChange);
  // The profile changes first, so that it never shows a deleted picture.
  await changePicture(backend, caller, upload, () => null);
  await removeUpload(backend, id, upload, (tx) => {
    addAuditEntry(tx, { backend, caller, id, upload, action: 'upload.removed' });
  });
}

/**
 * Replaces every URL of a file and of its variants. If the file is the caller's profile picture, the profile gets the
 * new URL.
 *
 * - Two concurrent revocations replace each other's tokens, so the record could get a URL with a replaced token.
 *   Therefore the transaction locks the record. If another revocation commits first, this transaction runs again and
 *   sets new tokens.
 * - If a revocation is interrupted before its commit, the event of the copy gives the file and its variants other URLs
 *   (`renewUrl`). The file is copied before its variants, so that there is such an event.
 *
 * @throws Refusal `upload_not_found`, `forbidden`, `not_stored`
 */
export async function revokeUrls(backend: Backend, caller: Caller, id: string): Promise<UploadView> {
  const bucket = await backend.bucket();
  const { after, view } = await backend.db.run(async (tx) => {
    const upload = await allowedUpload(tx, caller, id, actionToChange);
    if (upload.status !== 'stored') throw refusal('not_stored');
    const replaced = await replaceTokens(bucket, upload).catch(notStoredIfGone);
    tx.uploads.update(id, { ...replaced });
    addAuditEntry(tx, { backend, caller, id, upload, action: 'upload.url_revoked' });
    const changed = { ...upload, ...replaced };
    return { after: changed, view: uploadViewOf(id, changed) };
  });
  await changePicture(backend, caller, after, ({ url }) => url);
  return view;
}

interface FoundPicture {
  url: string | null;
}

/**
 * Changes the caller's picture if it is the file or one of its variants. If only the profile has this picture, only the
 * profile changes: an earlier request was interrupted after it had changed Firebase Auth, or a client wrote the
 * profile.
 *
 * Reads the profile only if Firebase Auth has another picture.
 */
async function changePicture(
  backend: Backend,
  caller: Caller,
  upload: Upload,
  newUrlOf: (found: FoundPicture) => string | null,
): Promise<void> {
  const { uid, photoURL } = caller;
  const bucket = await backend.bucket();
  const inAuth = findPicture(bucket, upload, photoURL);
  if (inAuth !== undefined) {
    await changeUser(backend, caller, { photoURL: newUrlOf(inAuth) });
    return;
  }
  const profile = await backend.db.users.getIntact(uid);
  const inProfile = findPicture(bucket, upload, profile?.photoURL);
  if (inProfile !== undefined) await changePictureOfProfile(backend, caller, newUrlOf(inProfile));
}

/**
 * Finds the file or variant that is shown at a URL, by its path. The profile can have a URL with a former token, if an
 * earlier revocation was interrupted before it changed the profile.
 */
function findPicture(
  bucket: Bucket,
  { path, url, variants }: Pick<Upload, 'path' | 'url' | 'variants'>,
  photoURL: string | null | undefined,
): FoundPicture | undefined {
  return [{ path, url }, ...variants].find((object) =>
    photoURL?.startsWith(downloadUrl({ bucket: bucket.name, path: object.path, token: '' })),
  );
}

interface Change {
  backend: Backend;
  caller: Caller;
  id: string;
  upload: Upload;
  action: 'upload.removed' | 'upload.url_revoked';
}

/** Records a change of a team's file in the audit log, without the file name, which may contain a person's name. */
function addAuditEntry(tx: Tx, { backend, caller, id, upload, action }: Change): void {
  const { ownerId, contentType } = upload;
  if (ownerId === caller.uid) return;
  tx.audit.record({
    teamId: ownerId,
    actorId: caller.uid,
    action,
    target: id,
    at: backend.now(),
    details: { contentType },
  });
}

async function replaceTokens(
  bucket: Bucket,
  upload: Upload,
): Promise<Pick<Upload, 'url' | 'generation' | 'variants'>> {
  const description = { ...upload, disposition: dispositionOf(upload.name) };
  const { url, generation } = await rewriteObject(bucket, upload.path, description);
  return { url, generation, variants: await replaceVariantTokens(bucket, upload) };
}

/** Throws `not_stored` for a missing object, because a concurrent removal deletes the objects before the record. */
function notStoredIfGone(error: unknown): never {
  throw isMissingOrChanged(error) ? refusal('not_stored') : error;
}

/** The action that a change needs: for the sender only `upload:create`, so members may change files that they sent. */
function actionToChange({ uid }: Caller, { createdBy }: Upload): Action {
  return createdBy === uid ? 'upload:create' : 'upload:delete';
}

/**
 * Reads an upload of the caller, or of a team in which their role allows the action.
 *
 * @throws Refusal `upload_not_found`, also for an upload of others, so that nobody learns whether it exists;
 *   `forbidden`
 */
async function allowedUpload(
  reads: Reads,
  caller: Caller,
  id: string,
  actionOf: (caller: Caller, upload: Upload) => Action,
): Promise<Upload> {
  const upload = await reads.uploads.get(id);
  if (upload === undefined) throw refusal('upload_not_found');
  if (upload.ownerId === caller.uid) return upload;
  try {
    await authorize(reads, caller, upload.ownerId, actionOf(caller, upload));
  } catch (error) {
    throw hasRefusalCode(error, 'team_not_found') ? refusal('upload_not_found') : error;
  }
  return upload;
}
