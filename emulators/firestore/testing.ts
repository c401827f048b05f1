import { Firestore } from '@google-cloud/firestore';
import { onTestFinished } from 'vitest';
import type { Clock } from './clock.ts';
import { startFirestoreServer } from './server.ts';
import type { FirestoreServer, FirestoreServerOptions } from './server.ts';

export const PROJECT = 'demo-test';
export const DATABASE = `projects/${PROJECT}/databases/(default)`;

/** The parent of the collections that are not below a document. */
export const ROOT = { database: DATABASE, path: '' };

export interface TestServer {
  readonly server: FirestoreServer;
  /** The Admin SDK's client, connected as an administrator. */
  readonly firestore: Firestore;
}

/** A server with a client of its own, both gone when the test ends. */
export async function serveForTest(options: FirestoreServerOptions = {}): Promise<TestServer> {
  const server = await startFirestoreServer(options);
  const firestore = connect(server);
  onTestFinished(async () => {
    await firestore.terminate();
    await server.close();
  });
  return { server, firestore };
}

/** As the Admin SDK connects to an emulator. */
export function connect({ host, port }: FirestoreServer): Firestore {
  // Else the client asks the network whether it runs on Google Cloud.
  process.env['METADATA_SERVER_DETECTION'] = 'none';
  process.env['FIRESTORE_EMULATOR_HOST'] = `${host}:${port}`;
  return new Firestore({ projectId: PROJECT });
}

/** A clock whose time changes only when a test moves it. */
export class ManualClock implements Clock {
  #micros = Date.UTC(2030, 0, 1) * 1_000;
  readonly #alarms = new Set<{ readonly at: number; readonly callback: () => void }>();

  nowMicros(): number {
    return this.#micros;
  }

  schedule(milliseconds: number, callback: () => void): () => void {
    const alarm = { at: this.#micros + milliseconds * 1_000, callback };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** Advances the clock, and runs the timers that are due, in order. */
  advance(milliseconds: number): void {
    this.#micros += milliseconds * 1_000;
    const due = [...this.#alarms]
      .filter(({ at }) => at <= this.#micros)
      .sort((left, right) => left.at - right.at);
    for (const alarm of due) if (this.#alarms.delete(alarm)) alarm.callback();
  }
}

/** A promise and the function that resolves it, to bring concurrent work into a certain order. */
export function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    given: promise,
    give: () => {
      resolve(undefined);
    },
  };
}
