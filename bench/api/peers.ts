import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore, type Firestore } from 'firebase-admin/firestore';
import { sessionId } from '../../functions/src/auth/cookies.ts';
import { PROJECT, unsignedToken, type Emulators } from './emulators.ts';
import { serveFunction } from './function.ts';
import { LoadClient, type Asked } from './load.ts';
import { startNode } from './node-process.ts';

/** A running server with users, who each have a session. The first one owns a team with 1,000 members. */
export interface Peer {
  readonly name: string;
  readonly client: LoadClient;
  session: (user: number) => Asked;
  invite: (email: string) => Asked;
  /** @param invitationId from the answer to `invite` */
  accept: (user: number, invitationId: string) => Asked;
  emailOf: (user: number) => string;
  /** Reads all members of the team; missing if this is not measured. */
  listMembers?: () => Promise<void>;
  /** Where the invitations are made; the peer itself by default. Then inviting is measured. */
  inviter?: Peer;
  /** Look-ups of users at Firebase Auth so far; missing if there are none. */
  lookUps?: () => Promise<number>;
  cpuMs: () => number;
  residentMb: () => number;
  stop: () => Promise<void>;
}

export interface Hearth extends Peer {
  readonly listMembers: () => Promise<void>;
  /** The address at which bare.ts makes the reads of a user's session. */
  bareSession: (user: number) => string;
}

export const MEMBERS = 1_000;

const APP_ORIGIN = 'https://app.example.com';

/** Hearth's largest page. */
const PAGE = 100;

/** @param folder where Hearth was built */
export async function startHearth(folder: string, emulators: Emulators, users: number): Promise<Hearth> {
  const served = await serveFunction(folder, emulators.env);
  const client = new LoadClient(served.origin);
  const uidOf = (user: number) => `user-${user}`;
  const emailOf = (user: number) => `${uidOf(user)}@example.com`;
  const cookies = Array.from({ length: users }, (_, user) => unsignedToken(uidOf(user), 'session cookie'));
  const headersOf = (user: number) => ({ Cookie: `__session=${cookies[user] ?? ''}`, Origin: APP_ORIGIN });
  Object.assign(process.env, emulators.env);
  const firestore = getFirestore(initializeApp({ projectId: PROJECT }, randomUUID()));
  await storeSessions(firestore, cookies, uidOf);
  const team = await client.succeed({
    method: 'POST',
    path: '/api/auth/teams',
    headers: headersOf(0),
    body: { name: 'Acme' },
  });
  const { id: teamId } = JSON.parse(team) as { id: string };
  await storeMembers(firestore, teamId, { uidOf, emailOf });
  const teamPath = `/api/auth/teams/${teamId}`;
  return {
    name: 'Hearth',
    client,
    emailOf,
    session: (user) => ({ path: '/api/auth/session', headers: headersOf(user) }),
    invite: (email) => ({
      method: 'POST',
      path: `${teamPath}/invitations`,
      headers: headersOf(0),
      body: { email, role: 'member' },
    }),
    accept: (user, id) => ({
      method: 'POST',
      path: `/api/auth/invitations/${id}/accept`,
      headers: headersOf(user),
    }),
    listMembers: async () => {
      let cursor: string | null = '';
      for (let read = 0; read < MEMBERS && cursor !== null; read += PAGE) {
        const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const path = `${teamPath}/members?limit=${PAGE}${after}`;
        const page = await client.succeed({ path, headers: headersOf(0) });
        cursor = (JSON.parse(page) as { nextCursor: string | null }).nextCursor;
      }
    },
    lookUps: emulators.lookUps,
    bareSession: (user) =>
      `/session?uid=${uidOf(user)}&session=${sessionId(cookies[user] ?? '')}&team=${teamId}`,
    cpuMs: served.cpuMs,
    residentMb: served.residentMb,
    stop: async () => {
      client.close();
      await firestore.terminate();
      await served.stop();
    },
  };
}

/** The bare limit, on the documents of Hearth. */
export async function startBare(hearth: Hearth, { env }: Emulators): Promise<Peer> {
  const served = await startNode({
    args: [join(import.meta.dirname, 'bare.ts')],
    env,
    ready: /^Listening on/,
  });
  const client = new LoadClient(`http://${addressIn(served.line)}`);
  return {
    name: 'bare',
    client,
    inviter: hearth,
    emailOf: (user) => `bare-${user}@example.com`,
    session: (user) => ({ path: hearth.bareSession(user) }),
    invite: hearth.invite,
    accept: (user, id) => ({ path: `/accept?uid=bare-${user}&id=${id}` }),
    cpuMs: served.cpuMs,
    residentMb: served.residentMb,
    stop: async () => {
      client.close();
      await served.stop();
    },
  };
}

/** better-auth on PostgreSQL in another process, as Hearth's database is. */
export async function startBetterAuthOnPostgres(users: number): Promise<Peer> {
  const program = join(import.meta.dirname, '../postgres.js');
  const database = await startNode({ args: [program], ready: /^Listening on/ });
  const peer = await startBetterAuth(users, addressIn(database.line));
  return {
    ...peer,
    name: 'better-auth on PGlite',
    stop: async () => {
      await peer.stop();
      await database.stop();
    },
  };
}

const addressIn = (line: string) => /[\d.]+:\d+$/.exec(line)?.[0] ?? '';

/**
 * @param database `host:port` of PostgreSQL; SQLite in its own memory by default
 * @throws Error if better-auth is not installed: `npm ci --prefix bench`
 */
export async function startBetterAuth(users: number, database?: string): Promise<Peer> {
  const program = join(import.meta.dirname, '../better-auth.js');
  const args = [program, ...(database === undefined ? [] : [database])];
  const served = await startNode({ args, ready: /^Listening on/ });
  const client = new LoadClient(`http://${addressIn(served.line)}`);
  const seed = { users, members: MEMBERS };
  const seeded = JSON.parse(await client.succeed({ method: 'POST', path: '/bench', body: seed })) as {
    organizationId: string;
    users: { email: string; cookie: string }[];
  };
  const { organizationId } = seeded;
  const headersOf = (user: number) => ({
    Cookie: seeded.users[user]?.cookie ?? '',
    Origin: 'http://localhost:3000',
  });
  const organization = '/api/auth/organization';
  return {
    name: 'better-auth',
    client,
    emailOf: (user) => seeded.users[user]?.email ?? '',
    session: (user) => ({ path: '/api/auth/get-session', headers: headersOf(user) }),
    invite: (email) => ({
      method: 'POST',
      path: `${organization}/invite-member`,
      headers: headersOf(0),
      body: { email, role: 'member', organizationId },
    }),
    accept: (user, invitationId) => ({
      method: 'POST',
      path: `${organization}/accept-invitation`,
      headers: headersOf(user),
      body: { invitationId },
    }),
    listMembers: async () => {
      const path = `${organization}/list-members?organizationId=${organizationId}&limit=${MEMBERS}`;
      await client.succeed({ path, headers: headersOf(0) });
    },
    cpuMs: served.cpuMs,
    residentMb: served.residentMb,
    stop: async () => {
      client.close();
      await served.stop();
    },
  };
}

/** A cookie is refused without the document of its session. */
async function storeSessions(
  firestore: Firestore,
  cookies: readonly string[],
  uidOf: (user: number) => string,
): Promise<void> {
  const writer = firestore.bulkWriter({ throttling: false });
  const signedInAt = new Date();
  const expiresAt = new Date(signedInAt.getTime() + 3_600_000);
  for (const [user, cookie] of cookies.entries()) {
    const path = `users/${uidOf(user)}/sessions/${sessionId(cookie)}`;
    const session = { signInMethod: 'password', providerUids: [], userAgent: null, signedInAt, expiresAt };
    void writer.set(firestore.doc(path), session);
  }
  await writer.close();
}

async function storeMembers(
  firestore: Firestore,
  teamId: string,
  { uidOf, emailOf }: { uidOf: (user: number) => string; emailOf: (user: number) => string },
): Promise<void> {
  await firestore.doc(`teams/${teamId}`).update({ seatLimit: 1_000_000 });
  const writer = firestore.bulkWriter({ throttling: false });
  for (let user = 1; user < MEMBERS; user++) {
    const uid = uidOf(user);
    const member = {
      uid,
      role: 'member',
      email: emailOf(user),
      displayName: null,
      joinedAt: new Date(Date.now() + user),
    };
    void writer.set(firestore.doc(`teams/${teamId}/members/${uid}`), member);
  }
  await writer.close();
}
