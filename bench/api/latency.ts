import { PRODUCTION } from '@hearth/latency/admission';
import { startProduction } from '@hearth/latency/production';
import type { Emulators } from './emulators.ts';
import { startHearth } from './peers.ts';

/** Fewer calls than production's quotas allow, whatever the machine. */
const USERS = 20;
const REQUESTS = 200;

/** Measures the session, one at a time, with production's latencies between Hearth and its services. */
export async function measureLatency(folder: string, emulators: Emulators): Promise<string> {
  const { FIREBASE_AUTH_EMULATOR_HOST: auth = '', FIRESTORE_EMULATOR_HOST: firestore = '' } = emulators.env;
  await using production = await startProduction({ auth, firestore, stripe: undefined });
  const { hosts } = production;
  const env = {
    ...emulators.env,
    FIREBASE_AUTH_EMULATOR_HOST: hosts.auth,
    FIRESTORE_EMULATOR_HOST: hosts.firestore,
  };
  const hearth = await startHearth(folder, { ...emulators, env }, USERS);
  try {
    const asks = Array.from(
      { length: REQUESTS },
      (_, n) => () => hearth.client.succeed(hearth.session(n % USERS)),
    );
    await hearth.client.measure(asks, 1);
    const { p50, p99 } = await hearth.client.measure(asks, 1);
    const { latencyMs } = PRODUCTION.firestore;
    return `Session, warm, each call to Firestore ${latencyMs} ms: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  } finally {
    await hearth.stop();
  }
}
