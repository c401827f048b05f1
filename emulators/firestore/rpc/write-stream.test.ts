import { describe, expect, test } from 'vitest';
import { RawStream } from '../listen/testing.ts';
import type { Message } from '../listen/testing.ts';
import { DATABASE, serveForTest } from '../testing.ts';
import type { TestServer } from '../testing.ts';

const NAME = `${DATABASE}/documents/c/1`;
const update = { update: { name: NAME, fields: { a: { integerValue: '1' } } } };
const next = async (stream: RawStream): Promise<Message | undefined> => (await stream.until(() => true))[0];

async function openStream(token?: string): Promise<TestServer & { stream: RawStream }> {
  const test = await serveForTest();
  const stream = new RawStream(test.server, 'Write', token);
  stream.send({});
  const handshake = await next(stream);
  expect(handshake?.['streamId']).toMatch(/.+/);
  expect((handshake?.['streamToken'] as Buffer).length).toBeGreaterThan(0);
  return { ...test, stream };
}

describe('a write stream', () => {
  test('answers commits one after the other', async () => {
    const { stream, firestore } = await openStream();
    stream.send({ writes: [update] });
    stream.send({ writes: [{ delete: NAME }, { ...update, currentDocument: { exists: false } }] });
    stream.send({ writes: [] });
    expect(await next(stream)).toMatchObject({ writeResults: [{ updateTime: {} }], commitTime: {} });
    expect((await next(stream))?.['writeResults']).toHaveLength(2);
    expect(await next(stream)).toMatchObject({ commitTime: {} });
    expect((await firestore.doc('c/1').get()).data()).toEqual({ a: 1 });
  });

  test.each([
    ['FAILED_PRECONDITION', 9, { currentDocument: { updateTime: { seconds: 1 } } }, true],
    ['ALREADY_EXISTS', 6, { currentDocument: { exists: false } }, true],
    ['NOT_FOUND', 5, { currentDocument: { exists: true } }, false],
    ['INVALID_ARGUMENT', 3, { update: { name: `${DATABASE}/documents/c` } }, false],
  ])('ends with %s and commits no later write', async (_name, code, write, exists) => {
    const { stream, firestore } = await openStream();
    if (exists) await firestore.doc('c/1').set({ a: 0 });
    stream.send({ writes: [{ ...update, ...write }] });
    stream.send({ writes: [{ update: { name: `${DATABASE}/documents/c/later` } }] });
    await expect(stream.until(() => false)).rejects.toMatchObject({ code });
    expect((await firestore.doc('c/later').get()).exists).toBe(false);
  });

  test('denies the writes of an end user', async () => {
    const { stream, firestore } = await openStream('eyJhbGciOiJub25lIn0.e30.');
    stream.send({ writes: [update] });
    await expect(next(stream)).rejects.toMatchObject({ code: 7 });
    expect((await firestore.doc('c/1').get()).exists).toBe(false);
  });

  test.each([
    ['writes before the handshake', 3, { writes: [update] }],
    ['a stream to resume', 12, { streamId: 'earlier' }],
  ])('refuses %s', async (_name, code, request) => {
    const { server } = await serveForTest();
    const stream = new RawStream(server, 'Write');
    stream.send(request);
    await expect(next(stream)).rejects.toMatchObject({ code });
  });
});
