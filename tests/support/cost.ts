import { join } from 'node:path';
import { startFirestoreServer, type FirestoreServer } from '@hearth/firestore-emulator';
import { deleteApp, getApps } from 'firebase-admin/app';
import { expect, inject } from 'vitest';
import { ROOT } from '../../scripts/paths.ts';

const HOST_VARIABLE = 'FIRESTORE_EMULATOR_HOST';

/** The operations that Firestore bills. */
export interface Cost {
  reads: number;
  writes: number;
  deletes: number;
}

/** A Firestore of this test file alone, so that its ledger counts nothing else. */
export interface MeteredFirestore extends AsyncDisposable {
  /** Sends one request, and expects success and exactly this cost. Missing counts are zero. */
  expectCost: (request: () => Promise<Response>, cost: Partial<Cost>) => Promise<void>;
  /** Measures the cost of some work, also if it fails. */
  measure: (act: () => Promise<unknown>) => Promise<Cost>;
}

/**
 * Starts a Firestore and points this process's Admin SDK to it until it is disposed. Call it before serving the app.
 */
export async function meterFirestore(): Promise<MeteredFirestore> {
  const server = await startFirestoreServer({ indexes: join(ROOT, 'firestore.indexes.json') });
  const before = process.env[HOST_VARIABLE];
  await useFirestoreAt(`${server.host}:${server.port}`);
  return {
    expectCost: (request, cost) => expectCost(server, request, cost),
    measure: (act) => measure(server, act),
    [Symbol.asyncDispose]: async () => {
      await useFirestoreAt(before);
      await server.close();
    },
  };
}

/** The Admin SDK reads this host once, so its apps are created again. The next test file runs in the same process. */
export async function useFirestoreAt(host: string | undefined): Promise<void> {
  await Promise.all(getApps().map(deleteApp));
  if (host === undefined) Reflect.deleteProperty(process.env, HOST_VARIABLE);
  else process.env[HOST_VARIABLE] = host;
}

async function measure({ host, port }: FirestoreServer, act: () => Promise<unknown>): Promise<Cost> {
  const ledger = `http://${host}:${port}/emulator/v1/projects/${inject('stack').projectId}:usage`;
  await fetch(ledger, { method: 'DELETE' });
  await act();
  return (await (await fetch(ledger)).json()) as Cost;
}

async function expectCost(
  server: FirestoreServer,
  request: () => Promise<Response>,
  cost: Partial<Cost>,
): Promise<void> {
  const measured = await measure(server, async () => {
    const response = await request();
    expect(response.status, await response.text()).toBeLessThan(400);
  });
  expect(measured).toEqual({ reads: 0, writes: 0, deletes: 0, ...cost });
}
