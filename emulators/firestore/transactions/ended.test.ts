import { expect, test } from 'vitest';
import { postForTest } from '../rest/testing.ts';
import type { RestServer } from '../rest/testing.ts';
import { DATABASE } from '../testing.ts';

const NAME = `${DATABASE}/documents/c/1`;
const WRITES = [{ update: { name: NAME, fields: {} } }];

const begin = async ({ post }: RestServer, options: object = {}): Promise<string> =>
  ((await post('beginTransaction', { options })) as { transaction: string }).transaction;

test.each([
  ['committed', 'commit'],
  ['rolled back', 'rollback'],
])('a commit of a transaction that was %s is ABORTED', async (_title, method) => {
  const rest = await postForTest();
  const transaction = await begin(rest);
  await rest.post(method, { transaction });
  expect(await rest.post('commit', { transaction, writes: WRITES })).toMatchObject({
    error: { status: 'ABORTED', message: 'The referenced transaction has expired or is no longer valid.' },
  });
});

test.each(['commit', 'rollback'])('%s of an unknown transaction is INVALID_ARGUMENT', async (method) => {
  const { post } = await postForTest();
  const transaction = Buffer.from('7.7').toString('base64');
  expect(await post(method, { transaction })).toMatchObject({ error: { status: 'INVALID_ARGUMENT' } });
});

interface Started {
  readonly transaction: string;
}

test.each([
  ['batchGet', { documents: [NAME] }],
  ['runQuery', { structuredQuery: { from: [{ collectionId: 'c' }] } }],
])('%s starts a read-only transaction unless it asks for another', async (method, request) => {
  const { post } = await postForTest();
  const start = async (newTransaction: object): Promise<unknown> => {
    const [{ transaction }] = (await post(method, { ...request, newTransaction })) as [Started];
    return post('commit', { transaction, writes: WRITES });
  };
  expect(await start({})).toMatchObject({
    error: { status: 'INVALID_ARGUMENT', message: 'Cannot modify entities in a read-only transaction' },
  });
  expect(await start({ readWrite: {} })).toMatchObject({ commitTime: expect.any(String) as unknown });
});

test('a read of two states is refused', async () => {
  const rest = await postForTest();
  const transaction = await begin(rest);
  const readTime = new Date().toISOString();
  expect(await rest.post('batchGet', { documents: [NAME], transaction, readTime })).toMatchObject([
    { error: { status: 'INVALID_ARGUMENT' } },
  ]);
});
