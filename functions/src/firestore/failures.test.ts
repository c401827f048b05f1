import { expect, test } from 'vitest';
import { withFirestoreRefusals } from './failures.ts';

/** Work that fails with this gRPC status. https://grpc.io/docs/guides/status-codes/ */
const failing = (code: number) =>
  withFirestoreRefusals(() => Promise.reject(Object.assign(new Error('failed'), { code })));

test.each([
  ['DEADLINE_EXCEEDED', 4],
  ['RESOURCE_EXHAUSTED', 8],
  ['ABORTED', 10],
  ['UNAVAILABLE', 14],
])('%s is transient: the refusal busy, with a time to retry after', async (_name, code) => {
  await expect(failing(code)).rejects.toMatchObject({
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
  await expect(failing(code)).rejects.toMatchObject({ code, message: 'failed' });
});

test('the error of a transaction that has no attempts left is transient too', async () => {
  const exceeded = new Error('Exceeded maximum number of retries allowed.');
  await expect(withFirestoreRefusals(() => Promise.reject(exceeded))).rejects.toMatchObject({
    status: 503,
    code: 'busy',
  });
});
