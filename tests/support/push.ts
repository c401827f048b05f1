import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect } from 'vitest';
import { deliverPush } from '../../functions/src/push/deliver.service.ts';
import { serveApp, type AppUnderTest } from './app.ts';
import { meterFirestore } from './cost.ts';
import { startFcm, type FakeFcm } from './fcm.ts';
import { adminFirestore, signUp, type Person } from './people.ts';
import { call } from './requests.ts';
import { useResources } from './resources.ts';
import { createTeam, inviteTo } from './teams.ts';

export type Headers = Record<string, string>;

export const DEVICES = '/api/auth/devices';

/** An app with push messages, its fake of Firebase Cloud Messaging, and what tests do with them. */
export interface PushService {
  readonly app: AppUnderTest;
  readonly fcm: FakeFcm;
  /** @param url of the app; by default that of this service */
  register: (headers: Headers, token: string, url?: string) => Promise<Response>;
  /** Registers a device with a new token, and returns both. */
  newDevice: (headers: Headers) => Promise<{ id: string; token: string }>;
  /** Invites a person, which writes one message. */
  invited: (person: Person) => Promise<{ owner: Person; teamId: string; id: string }>;
  /** Runs the trigger for each message in the outbox, as Eventarc does. */
  deliverAll: () => Promise<void>;
  /** The tokens to which messages were sent in this test, sorted. */
  tokensSent: () => string[];
}

/** Serves the app with a Firestore of this test file, so that the outbox has the messages of one test. */
export function usePush(): PushService {
  const resources = useResources();
  const push = {} as { -readonly [Key in keyof PushService]: PushService[Key] };
  beforeAll(async () => {
    resources.use(await meterFirestore());
    push.fcm = resources.use(await startFcm());
    const backend = { messaging: push.fcm.messaging };
    push.app = resources.use(await serveApp({ config: { pushMessages: true }, backend }));
  });
  beforeEach(async () => {
    await push.deliverAll();
    push.fcm.sent.length = 0;
  });
  return Object.assign(push, {
    register: (headers: Headers, token: string, url = push.app.url) =>
      call('POST', url + DEVICES, { headers, json: { token } }),
    newDevice: async (headers: Headers) => {
      const token = `token:${randomUUID()}`;
      const response = await push.register(headers, token);
      expect(response.status).toBe(200);
      return { id: ((await response.json()) as { id: string }).id, token };
    },
    invited: async (person: Person) => {
      const owner = await signUp({ displayName: 'Grace' });
      const teamId = await createTeam(push.app.url, owner);
      const { id } = await inviteTo(push.app.url, owner, teamId, person.email);
      return { owner, teamId, id };
    },
    deliverAll: async () => {
      for (const id of await pushIds()) await deliverPush(push.app.backend, id);
    },
    tokensSent: () => push.fcm.sent.map(({ token }) => token).sort(),
  });
}

export const pushIds = async () =>
  (await adminFirestore().collection('pushes').get()).docs.map(({ id }) => id);

export const deviceOf = async (id: string) => (await adminFirestore().doc(`devices/${id}`).get()).data();
