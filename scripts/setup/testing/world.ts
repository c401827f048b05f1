import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStripe } from '@hearth/stripe-emulator';
import { onTestFinished } from 'vitest';
import { SAMPLE_OFFERED } from '../../../functions/src/testing/sample-plans.ts';
import deployedFunctions from '../../deployed-functions.json' with { type: 'json' };
import { ROOT } from '../../paths.ts';
import { createGoogle } from '../google.ts';
import { runSteps, type RunOptions } from '../run.ts';
import type { Target } from '../step.ts';
import { FREE_APIS, PAID_APIS } from '../steps/project.ts';
import { SETUP_STEPS } from '../steps.ts';
import { openTarget } from '../target.ts';
import { startFakeGoogle, type FakeGoogle } from './fake-google.ts';

export const KEY = 'sk_test_setup';
export const RECONCILIATION = 'firebase-schedule-reconcileBilling-europe-west1';

export interface World {
  fake: FakeGoogle;
  target: Target;
  stripeUrl: string;
  folder: string;
  /** Runs the steps, and answers the outcome with the printed lines. */
  run: (mode: RunOptions['mode'], steps?: typeof SETUP_STEPS) => Promise<Run>;
}

type Run = Awaited<ReturnType<typeof runSteps>> & { lines: string[] };

/**
 * A new project with a billing account, and a Stripe account without products.
 *
 * @param file the lines of `.env.acme-1`
 */
export async function newWorld(
  environment: Record<string, string> = {},
  file?: readonly string[],
): Promise<World> {
  const fake = await startFakeGoogle();
  fake.project.billingEnabled = true;
  const stripe = await startStripe({ plans: [], apiKey: KEY });
  const folder = mkdtempSync(join(tmpdir(), 'hearth-setup-'));
  if (file !== undefined) writeFileSync(join(folder, '.env.acme-1'), file.join('\n'));
  onTestFinished(async () => {
    await fake[Symbol.asyncDispose]();
    await stripe.close();
    rmSync(folder, { recursive: true });
  });
  const google = createGoogle({
    projectId: 'acme-1',
    token: () => Promise.resolve('operator'),
    originOf: fake.originOf,
    pause: () => Promise.resolve(),
  });
  const opened = await openTarget({
    projectId: 'acme-1',
    google,
    region: 'europe-west1',
    settingsFolder: folder,
    purpose: 'setup',
    environment: {
      APP_URL: 'https://app.example.com',
      MAIL_FROM: 'Acme <no-reply@example.com>',
      STRIPE_SECRET_KEY: KEY,
      STRIPE_API_URL: stripe.url,
      MAIL_SMTP_URL: 'extension',
      ...environment,
    },
  });
  const target = { ...opened, offered: SAMPLE_OFFERED };
  const run: World['run'] = async (mode, steps = SETUP_STEPS) => {
    const lines: string[] = [];
    const outcome = await runSteps(steps, target, { mode, print: (line) => lines.push(line) });
    return { ...outcome, lines };
  };
  return { fake, target, stripeUrl: stripe.url, folder, run };
}

/** True for a request that changes something. */
export const isChange = ({ method, path }: { method: string; path: string }) =>
  method !== 'GET' && !path.endsWith(':getIamPolicy');

/** The clients' changes that the local Stripe has seen. */
export async function stripeChanges({ stripeUrl }: World): Promise<unknown[]> {
  const answer = await fetch(`${stripeUrl}/_emulator/requests`);
  const { recent } = (await answer.json()) as { recent: { method: string }[] };
  return recent.filter(({ method }) => method !== 'GET');
}

/** A world whose project has all APIs, and nothing else. */
export async function enabledWorld(): Promise<World> {
  const world = await newWorld();
  for (const name of [...FREE_APIS, ...PAID_APIS]) world.fake.project.services.add(name);
  return world;
}

/** Completes a set-up as a person and a deployment do. */
export async function deployedWorld(...given: Parameters<typeof newWorld>): Promise<World> {
  const world = await newWorld(...given);
  const { project } = world.fake;
  await world.run('apply');
  project.google = { enabled: true };
  for (const policy of project.policies) Object.assign(policy, { notificationChannels: ['mine'] });
  project.functions = Object.entries(deployedFunctions).map(([name, { secrets }]) => ({
    name: `projects/acme-1/locations/europe-west1/functions/${name}`,
    state: 'ACTIVE',
    ...{ createTime: '2026-11-01T12:00:00Z', updateTime: '2026-11-01T12:00:00Z' },
    serviceConfig: {
      secretEnvironmentVariables: secrets.map((secret) => ({ key: secret, secret, version: '1' })),
    },
  }));
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  Object.assign(project.database ?? {}, { createTime: '2026-10-31T12:00:00Z' });
  project.rules.set('cloud.firestore', read('firestore.rules'));
  project.rules.set('firebase.storage/acme-1.firebasestorage.app', read('storage.rules'));
  const { indexes, fieldOverrides } = JSON.parse(read('firestore.indexes.json')) as {
    indexes: { collectionGroup: string; fields: object[] }[];
    fieldOverrides: {
      collectionGroup: string;
      fieldPath: string;
      ttl?: boolean;
      indexes: { queryScope: string }[];
    }[];
  };
  const groups = 'projects/acme-1/databases/(default)/collectionGroups';
  project.indexes = indexes.map(({ collectionGroup, fields, ...index }, at) => ({
    ...index,
    name: `${groups}/${collectionGroup}/indexes/${at}`,
    fields: [...fields, { fieldPath: '__name__', order: 'ASCENDING' }],
    state: 'READY',
  }));
  project.fields = fieldOverrides.map((field) => ({
    name: `${groups}/${field.collectionGroup}/fields/${field.fieldPath}`,
    ...(field.ttl === true && { ttlConfig: { state: 'ACTIVE' } }),
    indexConfig: {
      indexes: field.indexes.map(({ queryScope, ...kind }) => ({
        ...{ queryScope, state: 'READY' },
        fields: [{ fieldPath: field.fieldPath, ...kind }],
      })),
    },
  }));
  for (const [name, { trigger }] of Object.entries(deployedFunctions)) {
    if (trigger === 'task queue') project.queues.set(name, 'RUNNING');
    if (!trigger.startsWith('every')) continue;
    project.jobs.set(`firebase-schedule-${name}-europe-west1`, { lastAttemptTime: '2026-11-22T11:58:00Z' });
  }
  Object.assign(world.target, { now: () => new Date('2026-11-22T12:00:00Z') });
  return world;
}
