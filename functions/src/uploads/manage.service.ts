import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { recordAudit } from '../audit/audit-log.store.ts';
import type { Caller } from '../auth/caller.ts';
import { Refusal, refuse } from '../refusals.ts';
import { readPageLegacy, type Page, type PageOf } from '../firestore/page.ts';
import type { Bucket, Backend } from '../backend.ts';
import { authorizeLegacy, directly, type Reader } from '../teams/authorize.ts';
import type { Action } from '../teams/roles.ts';
import { transact } from '../firestore/transaction.ts';
import { dispositionOf } from './files/kinds.ts';
import { removeUpload } from './remove.service.ts';
import { isObjectGone, replaceToken } from './bucket/storage.ts';
import { uploadRef, uploadsOf, type RecordRemoval, type UploadDocument } from './upload.store.ts';
import { viewOf, type ManagedUpload } from './upload.view.ts';

/**
 * The stored uploads of the caller or of a team, newest first.
 *
 * @throws Refusal as authorize, for a team
 */
export async function listUploads(
  backend: Backend,
  caller: Caller,
  teamId: string | undefined,
  page: Page,
): Promise<PageOf<ManagedUpload>> {
  const firestore = await backend.firestore();
  if (teamId !== undefined) await authorizeLegacy(directly, firestore, caller, teamId, 'upload:read');
  const stored = uploadsOf(firestore, teamId ?? caller.uid).where('status', '==', 'stored');
  return readPageLegacy(stored, page, { by: 'createdAt', direction: 'desc' }, viewOf);
}

/** @throws Refusal 404 */
export async function describeUpload(backend: Backend, caller: Caller, id: string): Promise<ManagedUpload> {
  const upload = await allowed(directly, await backend.firestore(), caller, id, () => 'upload:read');
  return viewOf(id, upload);
}

/**
 * Removes a file and gives its bytes back to the quota.
 *
 * @throws Refusal 404, 403 when the role in the team does not allow it, 503
 */
export async function deleteUpload(backend: Backend, caller: Caller, id: string): Promise<void> {
  const firestore = await backend.firestore();
  const upload = await allowed(directly, firestore, caller, id, removalBy(caller));
  const record: RecordRemoval = (transaction) => {
    recordInTeam(backend, transaction, firestore, { caller, id, upload, action: 'upload.removed' });
  };
  await removeUpload({ firestore, bucket: await backend.bucket(), record }, id, upload);
}

/**
 * Ends every URL of a file and of its variants and gives new ones. The document is locked meanwhile: of two at once the
 * one that commits last has also set the last tokens. What dies before its commit leaves URLs that nobody knows; asked
 * again, there are new ones.
 *
 * @throws Refusal 404, 403 when the role in the team does not allow it, 409 for a file that is not stored, 503
 */
export async function revokeUrls(backend: Backend, caller: Caller, id: string): Promise<ManagedUpload> {
  const [firestore, bucket] = await Promise.all([backend.firestore(), backend.bucket()]);
  return transact(firestore, async (transaction) => {
    const upload = await allowed(transaction, firestore, caller, id, removalBy(caller));
    if (upload.status !== 'stored') throw notStored();
    const replaced = await replaceTokens(bucket, upload).catch(notThere);
    transaction.update(uploadRef(firestore, id), { ...replaced });
    recordInTeam(backend, transaction, firestore, { caller, id, upload, action: 'upload.url_revoked' });
    return viewOf(id, { ...upload, ...replaced });
  });
}

interface Change {
  caller: Caller;
  id: string;
  upload: UploadDocument;
  action: 'upload.removed' | 'upload.url_revoked';
}

/** In the audit log of the team whose file it is. Without the file's name, which may be a person's. */
function recordInTeam(
  { now, auditDays }: Backend,
  transaction: Transaction,
  firestore: Firestore,
  { caller, id, upload, action }: Change,
): void {
  const { ownerId, contentType } = upload;
  if (ownerId === caller.uid) return;
  recordAudit(transaction, firestore, {
    teamId: ownerId,
    actorId: caller.uid,
    action,
    target: id,
    at: now(),
    keptDays: auditDays,
    details: { contentType },
  });
}

async function replaceTokens(
  bucket: Bucket,
  upload: UploadDocument,
): Promise<Pick<UploadDocument, 'url' | 'generation' | 'variants'>> {
  const description = { ...upload, disposition: dispositionOf(upload.name) };
  const { url, generation } = await replaceToken(bucket, upload.path, description);
  const variants = [];
  for (const variant of upload.variants) {
    const told = { ...description, contentType: 'image/webp' };
    const copy = await replaceToken(bucket, variant.path, told);
    variants.push({ ...variant, url: copy.url });
  }
  return { url, generation, variants };
}

/** A removal takes the object first. */
function notThere(error: unknown): never {
  throw isObjectGone(error) ? notStored() : error;
}

const notStored = () => refuse('not_stored');

/** Who has sent a file to a team may take it away again. */
const removalBy =
  ({ uid }: Caller) =>
  ({ createdBy }: UploadDocument): Action =>
    createdBy === uid ? 'upload:create' : 'upload:delete';

/** An upload that is the caller's own, or of a team in which their role allows the action. A stranger learns nothing. */
async function allowed(
  reader: Reader,
  firestore: Firestore,
  caller: Caller,
  id: string,
  actionOn: (upload: UploadDocument) => Action,
): Promise<UploadDocument> {
  const upload = (await reader.get(uploadRef(firestore, id))).data();
  if (upload === undefined) throw noUpload();
  if (upload.ownerId === caller.uid) return upload;
  try {
    await authorizeLegacy(reader, firestore, caller, upload.ownerId, actionOn(upload));
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 ? noUpload() : error;
  }
  return upload;
}

const noUpload = () => refuse('upload_not_found');
