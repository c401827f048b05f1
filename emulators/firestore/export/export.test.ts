import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FieldValue, GeoPoint, Timestamp } from '@google-cloud/firestore';
import { beforeEach, describe, expect, test } from 'vitest';
import { startFirestoreServer } from '../server.ts';
import type { FirestoreServer } from '../server.ts';
import { PROJECT, serveForTest } from '../testing.ts';

let folder: string;
const metadataFile = (): string =>
  path.join(folder, 'firestore_export', 'firestore_export.overall_export_metadata');

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'export-'));
  return () => {
    rmSync(folder, { recursive: true });
  };
});

/** Requests an export as the Firebase CLI does. */
async function exportFrom({ host, port }: FirestoreServer, directory = folder): Promise<Response> {
  const database = `projects/${PROJECT}/databases/(default)`;
  return fetch(`http://${host}:${String(port)}/emulator/v1/projects/${PROJECT}:export`, {
    method: 'POST',
    body: JSON.stringify({ database, export_directory: directory, export_name: 'firestore_export' }),
  });
}

test('an import restores the exported documents with their times', async () => {
  const first = await serveForTest();
  const data = {
    text: 'ä\n',
    big: 2 ** 53 - 1,
    double: -0,
    infinite: -Infinity,
    nan: NaN,
    nothing: null,
    yes: true,
    bytes: Buffer.from([0, 255]),
    time: new Timestamp(-1, 123_456_000),
    place: new GeoPoint(0, -1.5),
    ref: first.firestore.doc('a/b'),
    list: [1, 'x', { deep: [] }],
    map: { 'a.b': {} },
    vector: FieldValue.vector([1, 2.5]),
  };
  await first.firestore.doc('a/b/c/ü').set(data);
  const before = await first.firestore.doc('a/b/c/ü').get();
  expect((await exportFrom(first.server)).status).toBe(200);

  const second = await serveForTest({ seed: { project: PROJECT, metadataFile: metadataFile() } });
  const after = await second.firestore.doc('a/b/c/ü').get();

  expect(JSON.stringify(after.data())).toBe(JSON.stringify(before.data()));
  expect(after.get('double')).toBe(-0);
  expect([after.createTime, after.updateTime]).toEqual([before.createTime, before.updateTime]);
  expect((await second.firestore.doc('a/b').get()).exists).toBe(false);
});

describe('an export', () => {
  test('replaces an earlier one and leaves no other file', async () => {
    const { server, firestore } = await serveForTest();
    await exportFrom(server);
    await firestore.doc('a/b').set({});
    await exportFrom(server);
    expect(readdirSync(folder)).toEqual(['firestore_export']);
    expect(readFileSync(path.join(folder, 'firestore_export', 'default.jsonl'), 'utf8')).toContain('"a/b"');
  });

  test('that cannot be written is an error, and no file remains', async () => {
    const { server } = await serveForTest();
    writeFileSync(path.join(folder, 'file'), '');
    const response = await exportFrom(server, path.join(folder, 'file'));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('The export to');
    expect(readdirSync(folder)).toEqual(['file']);
  });
});

describe('an import refuses', () => {
  const importing = (): Promise<unknown> =>
    startFirestoreServer({ seed: { project: PROJECT, metadataFile: metadataFile() } });
  const documents = (): string => path.join(folder, 'firestore_export', 'default.jsonl');

  beforeEach(async () => {
    const { server, firestore } = await serveForTest();
    await firestore.doc('a/b').set({});
    await firestore.doc('a/c').set({});
    await exportFrom(server);
  });

  test('a file that is cut off', async () => {
    const [line] = readFileSync(documents(), 'utf8').split('\n');
    writeFileSync(documents(), `${line ?? ''}\n`);
    await expect(importing()).rejects.toThrow(/default\.jsonl holds 1 documents instead of 2/);
  });

  test('a line without a document, and names the line', async () => {
    const [line] = readFileSync(documents(), 'utf8').split('\n');
    writeFileSync(documents(), `${line ?? ''}\n{"name": 3}\n`);
    await expect(importing()).rejects.toThrow(/default\.jsonl, line 2 is no document/);
  });

  test('an export of another program', async () => {
    writeFileSync(metadataFile(), '\u0000\u0001');
    await expect(importing()).rejects.toThrow('is no export of this emulator');
  });

  test('a missing file', async () => {
    rmSync(documents());
    await expect(importing()).rejects.toThrow('ENOENT');
  });
});
