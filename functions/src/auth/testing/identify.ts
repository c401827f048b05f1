import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { deleteApp, initializeApp, type App } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { withAuthRefusals } from '../ask-auth.ts';
import type { Caller } from '../caller.ts';
import { identify, type StateFreshness, type IdentifyDependencies } from '../identify.ts';
import type { TokenKind } from '../tokens/token.ts';
import { createTokenVerifier } from '../tokens/verify-token.ts';
import { createSignInTrust } from '../users/sign-in-trust.ts';
import { userStateOf, createUserStates } from '../users/user-states.ts';
import { googleToken, PROJECT, PUBLISHED_KEYS, SIGNED_IN_AT } from './google-tokens.ts';

/** How long a state is cached in the instances of these tests. */
export const LIFETIME_MS = 30_000;

export const REFUSED = { status: 401, code: 'unauthenticated' };

const PASSWORD = { providerId: 'password', rawId: 'ada@example.com', email: 'ada@example.com' };

/** Ada, who signed up by password. */
export const ada = (changes: object = {}) => ({
  localId: 'user',
  email: 'ada@example.com',
  emailVerified: true,
  validSince: String(SIGNED_IN_AT - 60),
  providerUserInfo: [PASSWORD],
  ...changes,
});

export const ENDINGS: [what: string, account: object | undefined][] = [
  ['whose account is disabled', ada({ disabled: true })],
  ['whose sessions were revoked after the sign-in', ada({ validSince: String(SIGNED_IN_AT + 1) })],
  ['whose password was removed', ada({ providerUserInfo: [] })],
  ['who is deleted', undefined],
];

/** Google's servers, as one test sees them. Each test begins with an unknown user. */
interface Google {
  /** The user in the answer of Identity Toolkit to `accounts:lookup`; undefined for a deleted user. */
  account: object | undefined;
  isReachable: boolean;
  lookUps: number;
  /** The monotonic clock of the caches. */
  time: number;
}

const LOOKUP_PATH = `/v1/projects/${PROJECT}/accounts:lookup`;

/**
 * Starts Google's servers for the tests of a file. The Admin SDK works as in production: it does not check revocation
 * and disabled users by itself. With the Auth emulator it would check them. The requests of the Admin SDK go to a
 * server of this process.
 */
export function useGoogle() {
  vi.stubEnv('FIREBASE_AUTH_EMULATOR_HOST', undefined);
  const google: Google = { account: undefined, isReachable: true, lookUps: 0, time: 0 };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== LOOKUP_PATH) {
      response.writeHead(404).end();
      return;
    }
    google.lookUps += 1;
    const body = { users: google.account === undefined ? [] : [google.account] };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  });
  const admin = startAdmin(() => (google.isReachable ? (server.address() as AddressInfo).port : 1));
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterEach(() => void Object.assign(google, { account: undefined, isReachable: true, lookUps: 0, time: 0 }));
  afterAll(async () => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
    await deleteApp(admin);
  });

  /** One instance of the service, with a cache of its own. */
  const startInstance = (changes: Partial<IdentifyDependencies> = {}): IdentifyDependencies => ({
    verifyToken: createTokenVerifier({
      projectId: PROJECT,
      isEmulated: false,
      fetch: () => Promise.resolve(Response.json(PUBLISHED_KEYS)),
    }),
    userStates: createUserStates({
      ask: (uid) => withAuthRefusals(async () => userStateOf(await getAuth(admin).getUser(uid))),
      lifetimeMs: LIFETIME_MS,
      clock: () => google.time,
    }),
    sessionExists: () => Promise.resolve(true),
    countLookUp: () => undefined,
    signInTrust: createSignInTrust(),
    now: () => new Date(),
    ...changes,
  });
  /** Identifies the user of a new token by a new instance. */
  const check = (kind: TokenKind, claims: object = {}) => ask(startInstance(), kind, 'cached', claims);
  return { google, startInstance, check };
}

/** @param port of the server that answers instead of Google */
function startAdmin(port: () => number): App {
  const credential = {
    getAccessToken: () => Promise.resolve({ access_token: 'of the service account', expires_in: 3600 }),
  };
  const httpAgent = new Agent();
  httpAgent.createConnection = () => connect(port(), '127.0.0.1');
  return initializeApp({ projectId: PROJECT, credential, httpAgent }, 'identify');
}

/** Identifies the user of a token, and waits for the session check. */
export async function ask(
  instance: IdentifyDependencies,
  kind: TokenKind,
  freshness: StateFreshness,
  claims: object = {},
): Promise<Caller> {
  const credentials = { kind, text: googleToken(kind, { claims }) };
  const { caller, sessionCheck } = await identify(instance, credentials, freshness);
  await sessionCheck;
  return caller;
}
