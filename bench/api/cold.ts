import { setTimeout } from 'node:timers/promises';
import type { AppName } from './apps.ts';
import { unsignedToken, type Emulators } from './emulators.ts';
import { serveFunction } from './function.ts';
import { LoadClient, type Asked } from './load.ts';
import { median, medianRatio } from './statistics.ts';

/** One cold start, from the start of the process to the first answer. */
interface ColdStart {
  wallMs: number;
  /** Processor time. It depends less on what else the machine does. */
  cpuMs: number;
  residentMb: number;
}

const HEALTH: Asked = { path: '/api/health' };

const SESSION: Asked = {
  path: '/api/auth/session',
  headers: { Authorization: `Bearer ${unsignedToken('ada', 'ID token')}` },
};

const CASES: readonly { name: string; app: AppName; asked: Asked }[] = [
  { name: 'bare `onRequest`', app: 'bare', asked: { path: '/' } },
  { name: 'Hearth, `/api/health`', app: 'hearth', asked: HEALTH },
  { name: 'Hearth, signed-in session', app: 'hearth', asked: SESSION },
  { name: 'eager app, `/api/health`', app: 'eager', asked: HEALTH },
  { name: 'eager app, signed-in session', app: 'eager', asked: SESSION },
];

/** Measures each case once a round, one after the other. @returns the rows of a Markdown table */
export async function measureColdStarts(
  apps: Record<AppName, string>,
  { env }: Emulators,
  rounds: number,
): Promise<string[]> {
  const results = CASES.map((): ColdStart[] => []);
  // The first round only fills the caches of the disk.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { app, asked }] of CASES.entries()) {
      const measured = await coldStart(apps[app], env, asked);
      if (round > 0) results[index]?.push(measured);
    }
  }
  const seriesOf = (index: number, key: keyof ColdStart) => (results[index] ?? []).map((start) => start[key]);
  const head = [
    '| first answer | wall time | ratio to bare | processor time | ratio to bare | ratio to eager | memory |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ];
  const rows = CASES.map(({ name, asked }, index) => {
    const eager = CASES.findIndex((other) => other.app === 'eager' && other.asked === asked);
    const [wall, cpu, memory] = (['wallMs', 'cpuMs', 'residentMb'] as const).map((key) =>
      seriesOf(index, key),
    );
    const ofEager = eager === -1 ? '–' : medianRatio(cpu ?? [], seriesOf(eager, 'cpuMs')).toFixed(2);
    return `| ${[
      name,
      `${median(wall ?? []).toFixed(0)} ms`,
      medianRatio(wall ?? [], seriesOf(0, 'wallMs')).toFixed(2),
      `${median(cpu ?? []).toFixed(0)} ms`,
      medianRatio(cpu ?? [], seriesOf(0, 'cpuMs')).toFixed(2),
      ofEager,
      `${median(memory ?? []).toFixed(0)} MB`,
    ].join(' | ')} |`;
  });
  return [...head, ...rows];
}

async function coldStart(
  folder: string,
  env: Readonly<Record<string, string>>,
  asked: Asked,
): Promise<ColdStart> {
  const startedAt = performance.now();
  const served = await serveFunction(folder, env);
  const client = new LoadClient(served.origin);
  await firstAnswer(client, asked);
  const measured = {
    wallMs: performance.now() - startedAt,
    cpuMs: served.cpuMs(),
    residentMb: served.residentMb(),
  };
  client.close();
  await served.stop();
  return measured;
}

/** The framework prints its line shortly before it listens. */
async function firstAnswer(client: LoadClient, asked: Asked): Promise<void> {
  try {
    await client.succeed(asked);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    await setTimeout(2);
    await firstAnswer(client, asked);
  }
}
