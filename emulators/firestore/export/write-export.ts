import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { failedPrecondition } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import type { StoredDocument } from '../storage/document.ts';
import { encodeDocument } from '../wire/document-codec.ts';
import { encodeJson } from '../wire/encode-json.ts';
import { messageTypes } from '../wire/schema.ts';
import { METADATA_SUFFIX } from './format.ts';
import type { ExportedDatabase, ExportMetadata } from './format.ts';

/**
 * Writes the databases, as they are now, to the folder `name` in `directory`. The folder appears complete or not at
 * all, and takes the place of an earlier export. Throws FAILED_PRECONDITION when it cannot be written.
 */
export async function exportProject(
  databases: readonly Database[],
  directory: string,
  name: string,
): Promise<void> {
  const snapshots = databases.map((database) => ({ database, documents: [...database.scan(EVERYTHING)] }));
  const target = path.resolve(directory, name);
  let temporary: string | undefined;
  try {
    await mkdir(path.dirname(target), { recursive: true });
    temporary = await mkdtemp(`${target}-`);
    const exported: ExportedDatabase[] = [];
    for (const { database, documents } of snapshots) {
      exported.push(await writeDocuments(temporary, database.name, documents));
    }
    const metadata: ExportMetadata = { format: 'firestore-documents', version: 1, databases: exported };
    const metadataFile = path.join(temporary, `${path.basename(name)}${METADATA_SUFFIX}`);
    await writeFile(metadataFile, `${JSON.stringify(metadata, null, 2)}\n`);
    await rm(target, { recursive: true, force: true });
    await rename(temporary, target);
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    throw failedPrecondition(`The export to ${target} failed: ${String(error)}`);
  }
}

const EVERYTHING = { parent: '', collectionId: undefined, allDescendants: true };

async function writeDocuments(
  folder: string,
  databaseName: string,
  documents: readonly StoredDocument[],
): Promise<ExportedDatabase> {
  const id = databaseName.slice(databaseName.lastIndexOf('/') + 1);
  const file = `${id.replace(/\W/g, '')}.jsonl`;
  await pipeline(Readable.from(linesOf(databaseName, documents)), createWriteStream(path.join(folder, file)));
  return { id, file, documents: documents.length };
}

function* linesOf(databaseName: string, documents: readonly StoredDocument[]): Generator<string> {
  const { response: type } = messageTypes('GetDocument');
  for (const document of documents) {
    const message = { ...encodeDocument(databaseName, document), name: document.path };
    yield `${JSON.stringify(encodeJson(type, message, { numericEnums: false }))}\n`;
  }
}
