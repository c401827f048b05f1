import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Firestore } from '@google-cloud/firestore';
import { BACKSTOP_MS } from '@hearth/testing/backstop';
import * as v2 from 'firebase-functions/firestore';
import { firestore as firestoreV1 } from 'firebase-functions/v1';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FirestoreServer } from '../server.ts';
import { PROJECT, serveForTest, signal } from '../testing.ts';

const POLL = { timeout: BACKSTOP_MS };

process.env['GCLOUD_PROJECT'] = PROJECT;
process.env['FIREBASE_CONFIG'] = JSON.stringify({ projectId: PROJECT });

/** Takes the place of the functions emulator, and passes events on as its worker processes do. */
class FunctionsEmulator {
  readonly #functions = new Map<string, (...args: never[]) => unknown>();
  readonly keys: string[] = [];
  /** Awaited before a request is answered. */
  beforeAnswer: (request: number) => Promise<void> | 'drop' = () => Promise.resolve();
  readonly #server = createServer((request, response) => {
    const key =
      decodeURIComponent(request.url ?? '')
        .split('/')
        .at(-1) ?? '';
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.keys.push(key);
      const wait = this.beforeAnswer(this.keys.length);
      if (wait === 'drop') {
        response.destroy();
        return;
      }
      this.#call(key, request.headers, Buffer.concat(chunks).toString());
      void wait.then(() => response.end());
    });
  });

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  set(key: string, fn: (...args: never[]) => unknown): void {
    this.#functions.set(key, fn);
  }

  #call(key: string, headers: NodeJS.Dict<string | string[]>, body: string): void {
    const fn = this.#functions.get(key);
    if (headers['content-type'] === 'application/protobuf') {
      const attributes = Object.entries(headers).filter(([name]) => name.startsWith('ce-'));
      const event = Object.fromEntries(attributes.map(([name, value]) => [name.slice(3), value]));
      fn?.({ ...event, data: Buffer.from(body, 'base64') } as never);
      return;
    }
    const { data, context } = JSON.parse(body) as { data: object; context: { resource: { name: string } } };
    fn?.(data as never, { ...context, resource: context.resource.name } as never);
  }
}

interface Registrable {
  readonly __endpoint: {
    readonly eventTrigger?: {
      readonly eventType: unknown;
      readonly eventFilters?: unknown;
      readonly eventFilterPathPatterns?: unknown;
    };
  };
}

let functions: FunctionsEmulator;
let server: FirestoreServer;
let firestore: Firestore;
/** The calls of functions, in order. */
let calls: unknown[];

beforeEach(async () => {
  calls = [];
  functions = new FunctionsEmulator();
  const functionsEmulator = await functions.listen();
  ({ server, firestore } = await serveForTest({ functionsEmulator }));
  return () => {
    functions.close();
  };
});

const control = (method: string, path: string, body: object): Promise<Response> =>
  fetch(`http://${server.host}:${String(server.port)}/emulator/v1/projects/${PROJECT}${path}`, {
    method,
    body: JSON.stringify(body),
  });

/** As the functions emulator registers a function of the second generation. */
async function registerV2(key: string, fn: Registrable & ((event: never) => unknown)): Promise<void> {
  const { eventType, eventFilters, eventFilterPathPatterns } = fn.__endpoint.eventTrigger ?? {};
  const filters = eventFilters as { database: string; namespace: string; document?: string };
  const pattern = (eventFilterPathPatterns as { document?: string } | undefined)?.document;
  const { database, namespace, document } = filters;
  const response = await control('POST', `/eventarcTrigger?eventarcTriggerId=${key}`, {
    eventType,
    database,
    namespace,
    document: { value: pattern ?? document, matchType: pattern === undefined ? 'EXACT' : 'PATH_PATTERN' },
  });
  expect(response.status).toBe(200);
  functions.set(key, fn);
}

/** As the functions emulator registers a function of the first generation. */
async function registerV1(key: string, fn: Registrable & ((...args: never[]) => unknown)): Promise<void> {
  const { eventType, eventFilters } = fn.__endpoint.eventTrigger ?? {};
  const { resource } = eventFilters as { resource: string };
  const response = await control('PUT', `/triggers/${key}`, {
    eventTrigger: { eventType, resource, service: 'firestore.googleapis.com' },
  });
  expect(response.status).toBe(200);
  functions.set(key, fn);
}

const record =
  (name: string) =>
  (event: v2.FirestoreEvent<unknown, { id: string }>): void => {
    const { data } = event;
    const change = data as {
      before?: v2.DocumentSnapshot;
      after?: v2.DocumentSnapshot;
      data?: () => unknown;
    };
    const seen = change.data ? change.data() : [change.before?.data(), change.after?.data()];
    calls.push([name, event.params.id, seen]);
  };

const called = (count: number): Promise<unknown> => expect.poll(() => calls, POLL).toHaveLength(count);

describe('functions of the second generation', () => {
  test('are called for created, updated, deleted and written documents', async () => {
    await registerV2('created', v2.onDocumentCreated('items/{id}', record('created')));
    await registerV2('updated', v2.onDocumentUpdated('items/{id}', record('updated')));
    await registerV2('deleted', v2.onDocumentDeleted('items/{id}', record('deleted')));
    const item = firestore.doc('items/ä 1%');
    await item.set({ n: 1, nested: { bytes: Buffer.from([255]) } });
    await called(1);
    await item.set({ n: 2 });
    await called(2);
    await item.set({ n: 2 });
    await firestore.doc('others/x').set({ n: 1 });
    await item.delete();
    await called(3);
    expect(calls).toEqual([
      ['created', 'ä 1%', { n: 1, nested: { bytes: Buffer.from([255]) } }],
      ['updated', 'ä 1%', [{ n: 1, nested: { bytes: Buffer.from([255]) } }, { n: 2 }]],
      ['deleted', 'ä 1%', { n: 2 }],
    ]);
  });

  test('get the event as Eventarc sends it', async () => {
    const seen: object[] = [];
    const fn = v2.onDocumentWrittenWithAuthContext('items/{id}', (event) => {
      seen.push(event);
    });
    await registerV2('written', fn);
    await firestore.doc('items/a').set({});
    await expect.poll(() => seen, POLL).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      specversion: '1.0',
      type: 'google.cloud.firestore.document.v1.written.withAuthContext',
      source: `//firestore.googleapis.com/projects/${PROJECT}/databases/(default)`,
      subject: 'documents/items/a',
      document: 'items/a',
      project: PROJECT,
      database: '(default)',
      namespace: '(default)',
      params: { id: 'a' },
      authType: 'service_account',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string,
    });
  });
});

describe('functions of the first generation', () => {
  test('are called with the change and its path', async () => {
    const onWrite = firestoreV1
      .document('items/{id}')
      .onWrite(({ before, after }, { params, eventType, resource }) => {
        calls.push({ before: before.data(), after: after.data(), params, eventType, resource });
      });
    await registerV1('onWrite', onWrite);
    await firestore.doc('items/a').set({ n: 1 });
    await firestore.doc('items/a').update({ n: 2 });
    await firestore.doc('items/a').delete();
    await called(3);
    const common = {
      params: { id: 'a' },
      eventType: 'google.firestore.document.write',
      resource: {
        service: 'firestore.googleapis.com',
        name: `projects/${PROJECT}/databases/(default)/documents/items/a`,
      },
    };
    expect(calls).toEqual([
      { before: undefined, after: { n: 1 }, ...common },
      { before: { n: 1 }, after: { n: 2 }, ...common },
      { before: { n: 2 }, after: undefined, ...common },
    ]);
  });
});

describe('delivery', () => {
  test('keeps the order of commits to a document, and no commit waits for it', async () => {
    await registerV2('updated', v2.onDocumentWritten('items/{id}', record('written')));
    const hold = signal();
    functions.beforeAnswer = (request) => (request === 1 ? hold.given : Promise.resolve());
    for (const n of [1, 2, 3]) await firestore.doc('items/a').set({ n });
    await firestore.doc('items/b').set({ n: 0 });
    await called(2);
    hold.give();
    await called(4);
    const ofA = calls.filter((call) => (call as unknown[])[1] === 'a');
    expect(ofA.map((call) => (call as [string, string, unknown[]])[2][1])).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ]);
  });

  test('is tried again when the connection breaks', async () => {
    await registerV2('created', v2.onDocumentCreated('items/{id}', record('created')));
    functions.beforeAnswer = (request) => (request === 1 ? 'drop' : Promise.resolve());
    await firestore.doc('items/a').set({ n: 1 });
    await called(1);
    expect(functions.keys).toEqual(['created', 'created']);
  });
});

test.each([
  ['PUT', '/triggers/x', {}],
  ['PUT', '/triggers/x', { eventTrigger: { eventType: 'google.storage.object.finalize', resource: 'x' } }],
  ['POST', '/eventarcTrigger?eventarcTriggerId=x', { eventType: 'google.cloud.firestore.document.v1.read' }],
])('%s %s without a Firestore trigger is refused', async (method, path, body) => {
  expect((await control(method, path, body)).status).toBe(400);
});
