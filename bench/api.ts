/**
 * `node bench/api.ts [--rounds N] [--only cold|requests|latency]`: the API beside better-auth on SQLite in memory and
 * on PGlite behind a socket, and beside the bare limit; the session with production's latencies; the cold start beside
 * a bare `onRequest` and an app that loads all packages at its start. Prints Markdown tables. Each server has a process
 * of its own; the rounds of all are interleaved. Compare the ratios: the times depend on the machine. Before:
 * `npm ci --prefix bench`.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildApps } from './api/apps.ts';
import { measureColdStarts } from './api/cold.ts';
import { startEmulators, type Emulators } from './api/emulators.ts';
import { measureLatency } from './api/latency.ts';
import {
  startBare,
  startBetterAuth,
  startBetterAuthOnPostgres,
  startHearth,
  type Peer,
} from './api/peers.ts';
import { describeLookUps, describeRequests, measureRound, usersFor, type Results } from './api/requests.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, only: { type: 'string' } },
});
const rounds = Number(values.rounds);

const apps = await buildApps();
const emulators = await startEmulators();
try {
  console.log(`Node ${process.version}, medians of ${rounds} rounds, load ${loadOf()} before\n`);
  const isWanted = (part: string) => values.only === undefined || values.only === part;
  if (isWanted('cold')) console.log(`${(await measureColdStarts(apps, emulators, rounds)).join('\n')}\n`);
  if (isWanted('requests')) console.log(`${(await measureRequests(emulators)).join('\n')}\n`);
  if (isWanted('latency')) console.log(`${await measureLatency(apps.hearth, emulators)}\n`);
  console.log(`Load ${loadOf()} after`);
} finally {
  await emulators.stop();
}

function loadOf(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

async function measureRequests(stack: Emulators): Promise<string[]> {
  const users = usersFor(rounds + 1);
  const hearth = await startHearth(apps.hearth, stack, users);
  const peers = [
    hearth,
    await startBetterAuth(users),
    await startBetterAuthOnPostgres(users),
    await startBare(hearth, stack),
  ];
  const results = peers.map((): Results => new Map());
  const warmUp: Results = new Map();
  try {
    // The first round warms both servers up.
    for (let round = 0; round <= rounds; round++) {
      for (const [index, peer] of peers.entries())
        await measureRound(peer, round, (round > 0 ? results[index] : undefined) ?? warmUp);
    }
    const [ofHearth, ofBetterAuth, onPostgres, ofBare] = results as [Results, Results, Results, Results];
    return [
      ...describeRequests(ofHearth, 'better-auth', ofBetterAuth),
      '',
      ...describeRequests(ofHearth, 'better-auth on PGlite', onPostgres),
      '',
      ...describeRequests(ofHearth, 'bare limit', ofBare),
      '',
      describeLookUps(ofHearth),
      memoryOf(peers, stack),
    ];
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

function memoryOf(peers: readonly Peer[], { firestore }: Emulators): string {
  const each = peers.map((peer) => `${peer.name} ${peer.residentMb().toFixed(0)} MB`);
  return `Memory afterwards: ${each.join(', ')}, the local Firestore ${firestore.residentMb().toFixed(0)} MB.`;
}
