import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

/** A new project and a Stripe account without products. */
export async function newWorld(environment: Record<string, string> = {}): Promise<World> {
  const fake = await startFakeGoogle();
  const stripe = await startStripe({ plans: [], apiKey: KEY });
  const folder = mkdtempSync(join(tmpdir(), 'hearth-setup-'));
  onTestFinished(async () => {
    await fake[Symbol.asyncDispose]();
    await stripe.close();
    rmSync(folder, { recursive: true });
  });
  const google = createGoogle({
    projectId: 'acme-1',
    token: () => Promise.resolve('operator'),
    originOf: fake.originOf,
    pollMs: 1,
  });
  const opened = await openTarget({
    projectId: 'acme-1',
    google,
    region: 'europe-west1',
    settingsFolder: folder,
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

/** Completes a set-up as a person and a deployment do. */
export async function deployedWorld(): Promise<World> {
  const world = await newWorld();
  const { project } = world.fake;
  project.billingEnabled = true;
  await world.run('apply');
  project.google = { enabled: true };
  for (const policy of project.policies) Object.assign(policy, { notificationChannels: ['mine'] });
  project.functions = Object.keys(deployedFunctions);
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  project.rules.set('cloud.firestore', read('firestore.rules'));
  project.rules.set('firebase.storage/acme-1.firebasestorage.app', read('storage.rules'));
  const { indexes, fieldOverrides } = JSON.parse(read('firestore.indexes.json')) as {
    indexes: { collectionGroup: string; fields: object[] }[];
    fieldOverrides: { collectionGroup: string; fieldPath: string; ttl?: boolean }[];
  };
  const groups = 'projects/acme-1/databases/(default)/collectionGroups';
  project.indexes = indexes.map(({ collectionGroup, fields, ...index }, at) => ({
    ...index,
    name: `${groups}/${collectionGroup}/indexes/${at}`,
    fields: [...fields, { fieldPath: '__name__', order: 'ASCENDING' }],
    state: 'READY',
  }));
  project.fields = fieldOverrides
    .filter(({ ttl }) => ttl === true)
    .map(({ collectionGroup, fieldPath }) => ({
      name: `${groups}/${collectionGroup}/fields/${fieldPath}`,
      ttlConfig: { state: 'ACTIVE' },
    }));
  for (const [name, { trigger }] of Object.entries(deployedFunctions)) {
    if (!trigger.startsWith('every')) continue;
    project.jobs.set(`firebase-schedule-${name}-europe-west1`, { lastAttemptTime: '2026-11-22T11:58:00Z' });
  }
  Object.assign(world.target, { now: () => new Date('2026-11-22T12:00:00Z') });
  return world;
}
