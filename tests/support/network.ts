import type { Admission } from '@hearth/latency/admission';
import { startGrpcProxy } from '@hearth/latency/grpc-proxy';
import { startHttpProxy } from '@hearth/latency/http-proxy';
import { AUTH_EXHAUSTED } from '@hearth/latency/production';
import { deleteApp, getApps } from 'firebase-admin/app';
import { inject } from 'vitest';

/** Controls the network between the app and its services. Calls pass through unless a test intercepts them. */
export interface Network extends AsyncDisposable {
  /** Decides over the calls to Firestore, such as `RunQuery`. */
  firestore: Admission;
  /** True to lose the answer to a call to Firestore that has taken effect. */
  losesAnswer: (method: string) => boolean;
  /** Decides over the calls to Firebase Auth, such as `POST /…/accounts:lookup`. */
  auth: Admission;
}

/**
 * Puts proxies between this process's Admin SDK and its emulators. Call it before serving the app, and after
 * `meterFirestore`.
 */
export async function watchNetwork(): Promise<Network> {
  const { env } = inject('stack');
  const passing: Admission = () => Promise.resolve(true);
  const network: Omit<Network, typeof Symbol.asyncDispose> = {
    firestore: passing,
    losesAnswer: () => false,
    auth: passing,
  };
  const names = ['FIRESTORE_EMULATOR_HOST', 'FIREBASE_AUTH_EMULATOR_HOST'] as const;
  const before = names.map((name) => process.env[name]);
  const [firestoreName, authName] = names;
  // A test file may have a Firestore of its own.
  const hostOf = (name: string) => process.env[name] ?? env[name] ?? '';
  const [firestore, auth] = await Promise.all([
    startGrpcProxy(
      hostOf(firestoreName),
      (call) => network.firestore(call),
      (method) => network.losesAnswer(method),
    ),
    startHttpProxy(hostOf(authName), (call) => network.auth(call), AUTH_EXHAUSTED),
  ]);
  await pointTo([firestore.host, auth.host]);
  return Object.assign(network, {
    [Symbol.asyncDispose]: async () => {
      await pointTo(before);
      await Promise.all([firestore[Symbol.asyncDispose](), auth[Symbol.asyncDispose]()]);
    },
  });

  /** The Admin SDK reads the address of Firestore once, so its apps are made again. */
  async function pointTo(hosts: readonly (string | undefined)[]): Promise<void> {
    await Promise.all(getApps().map(deleteApp));
    for (const [index, name] of names.entries()) {
      const host = hosts[index];
      if (host === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = host;
    }
  }
}

/**
 * Holds calls until this number has arrived, and then lets all of them pass. So all were sent before any was answered.
 * Later calls fail the test.
 */
export function together(count: number): { admit: Admission; calls: string[] } {
  const calls: string[] = [];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return {
    calls,
    admit: (call) => {
      calls.push(call);
      if (calls.length === count) resolve(true);
      return promise;
    },
  };
}
