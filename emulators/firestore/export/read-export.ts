import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { documentName, parseDocumentName } from '../model/paths.ts';
import type { Database } from '../storage/database.ts';
import type { DocumentChange } from '../storage/document.ts';
import type { Store } from '../store.ts';
import { decodeJson } from '../wire/decode-json.ts';
import type { WireDocument } from '../wire/messages.ts';
import { messageTypes } from '../wire/schema.ts';
import { decodeFields, decodeTimestamp } from '../wire/value-codec.ts';
import { parseMetadata } from './format.ts';
import type { ExportedDatabase } from './format.ts';

/**
 * Loads an export into the project's databases. `metadataFile` is the export's file with the suffix
 * `.overall_export_metadata`. Rejects with an Error that names the file, and the line of a document, that is broken.
 */
export async function importProject(store: Store, project: string, metadataFile: string): Promise<void> {
  const metadata = parseMetadata(await readFile(metadataFile, 'utf8'));
  if (!metadata) {
    throw new Error(
      `${metadataFile} is no export of this emulator. Exports of Google's emulator or of production cannot be read.`,
    );
  }
  for (const exported of metadata.databases) {
    const { database } = store.open(`projects/${project}/databases/${exported.id}`);
    await importDocuments(database, path.resolve(path.dirname(metadataFile), exported.file), exported);
  }
}

async function importDocuments(
  database: Database,
  file: string,
  { documents }: ExportedDatabase,
): Promise<void> {
  const changes: DocumentChange[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    try {
      changes.push(parseLine(database.name, line));
    } catch (error) {
      throw new Error(`${file}, line ${changes.length + 1} is no document: ${String(error)}`, {
        cause: error,
      });
    }
  }
  if (changes.length !== documents) {
    throw new Error(`${file} holds ${changes.length} documents instead of ${documents}.`);
  }
  database.apply(changes, database.nextCommitTime());
}

function parseLine(databaseName: string, line: string): DocumentChange {
  const { response: type } = messageTypes('GetDocument');
  const wire = decodeJson(type, JSON.parse(line)) as WireDocument;
  const { path: documentPath } = parseDocumentName(documentName(databaseName, wire.name ?? ''));
  const after = {
    path: documentPath,
    fields: decodeFields(wire.fields),
    createTime: decodeTimestamp(wire.createTime ?? {}).toMicros(),
    updateTime: decodeTimestamp(wire.updateTime ?? {}).toMicros(),
  };
  return { path: documentPath, before: undefined, after };
}
