import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEST_SETTINGS } from '../../functions/src/testing/settings.ts';
import { startNode, type NodeProcess } from './node-process.ts';

export const PROJECT = 'demo-bench';

/** The services behind the API: the local Firestore, and Firebase Auth without latency. */
export interface Emulators {
  readonly firestore: NodeProcess;
  /** Environment of a function that uses them. No limit is reached. */
  readonly env: Readonly<Record<string, string>>;
  /** Look-ups of users at Firebase Auth so far. */
  lookUps: () => Promise<number>;
  stop: () => Promise<void>;
}

const NO_LIMITS = Object.fromEntries(
  ['SESSIONS_PER_MINUTE', 'WRITES_PER_MINUTE', 'READS_PER_MINUTE', 'INVITATIONS_PER_HOUR'].map((name) => [
    name,
    '1000000',
  ]),
);

export async function startEmulators(): Promise<Emulators> {
  const ready = /\d:\d+$/;
  const [firestore, auth] = await Promise.all([
    startNode({
      args: [fileURLToPath(import.meta.resolve('@hearth/firestore-emulator/main')), '--port', '0'],
      ready,
    }),
    startNode({ args: [join(import.meta.dirname, 'auth-stub.ts')], ready }),
  ]);
  return {
    firestore,
    env: {
      ...TEST_SETTINGS,
      ...NO_LIMITS,
      GCLOUD_PROJECT: PROJECT,
      FIREBASE_CONFIG: JSON.stringify({
        projectId: PROJECT,
        storageBucket: `${PROJECT}.firebasestorage.app`,
      }),
      FIRESTORE_EMULATOR_HOST: addressOf(firestore),
      FIREBASE_AUTH_EMULATOR_HOST: addressOf(auth),
      METADATA_SERVER_DETECTION: 'none',
    },
    lookUps: async () => Number(await (await fetch(`http://${addressOf(auth)}`)).text()),
    stop: async () => {
      await Promise.all([firestore.stop(), auth.stop()]);
    },
  };
}

function addressOf({ line }: NodeProcess): string {
  return /[\d.]+:\d+$/.exec(line)?.[0] ?? '';
}

const SIGNED_IN_AT = Math.floor(Date.now() / 1000) - 10;

/** A token as the Auth emulator issues it: without a signature. */
export function unsignedToken(uid: string, kind: 'ID token' | 'session cookie'): string {
  const issuer = kind === 'ID token' ? 'securetoken.google.com' : 'session.firebase.google.com';
  const email = `${uid}@example.com`;
  const claims = {
    iss: `https://${issuer}/${PROJECT}`,
    aud: PROJECT,
    sub: uid,
    user_id: uid,
    email,
    email_verified: true,
    iat: SIGNED_IN_AT,
    auth_time: SIGNED_IN_AT,
    exp: SIGNED_IN_AT + 3600,
    firebase: { sign_in_provider: 'password', identities: { email: [email] } },
  };
  const parts = [{ alg: 'none', typ: 'JWT' }, claims];
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
}
