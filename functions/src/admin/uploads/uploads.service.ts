import type { Backend } from '../../backend.ts';
import { isDocumentId } from '../../firestore/document-id.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { refusal } from '../../refusals/refusals.ts';
import { removeUpload } from '../../uploads/records/remove.service.ts';
import { recordActionIn, type Operator } from '../operator.service.ts';
import { withoutFields } from '../stored-documents.ts';

/** @throws Refusal `upload_not_found` */
export async function describeUpload(backend: Backend, id: string): Promise<Record<string, unknown>> {
  return withoutFields(await requireUpload(backend, id), []);
}

/**
 * Removes a file and gives its bytes back to the quota.
 *
 * @throws Refusal `upload_not_found`
 */
export async function deleteUploadAsOperator(
  backend: Backend,
  operator: Operator,
  id: string,
): Promise<void> {
  const upload = await requireUpload(backend, id);
  const { ownerId } = upload;
  const teamId = (await backend.db.teams.exists(ownerId)) ? ownerId : undefined;
  await removeUpload(backend, id, upload, (tx) => {
    recordActionIn(tx, operator, backend.now(), { action: 'admin.upload_removed', target: id, teamId });
  });
}

async function requireUpload({ db }: Backend, id: string): Promise<Upload> {
  const upload = isDocumentId(id) ? await db.uploads.get(id) : undefined;
  if (upload === undefined) throw refusal('upload_not_found');
  return upload;
}
