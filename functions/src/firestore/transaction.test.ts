import type { Firestore } from 'firebase-admin/firestore';
import { expect, test } from 'vitest';
import { transact } from './transaction.ts';

/** A Firestore whose transactions end with this gRPC status. https://grpc.io/docs/guides/status-codes/ */
function failingWith(code: number): Firestore {
  return {
    runTransaction: () => Promise.reject(Object.assign(new Error('failed'), { code })),
  } as unknown as Firestore;
}

test.each([
  ['DEADLINE_EXCEEDED', 4],
  ['RESOURCE_EXHAUSTED', 8],
  ['ABORTED', 10],
  ['UNAVAILABLE', 14],
])('%s may pass: 503 busy, with Retry-After', async (_name, code) => {
  const refused = transact(failingWith(code), () => Promise.resolve());
  await expect(refused).rejects.toMatchObject({
    status: 503,
    code: 'busy',
    retryAfter: expect.any(Number) as number,
  });
});

test.each([
  ['INVALID_ARGUMENT', 3],
  ['PERMISSION_DENIED', 7],
  ['FAILED_PRECONDITION', 9],
])('%s is thrown unchanged', async (_name, code) => {
  const failed = transact(failingWith(code), () => Promise.resolve());
  await expect(failed).rejects.toMatchObject({ code, message: 'failed' });
});
