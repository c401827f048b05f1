import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../paths.ts';
import { unlessMissing, type Operation } from '../google.ts';
import type { Finding, Step, Target } from '../step.ts';
import deployedFunctions from '../../deployed-functions.json' with { type: 'json' };

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const deployOnly = (parts: string, projectId: string) =>
  `Run npm run deploy -- --project ${projectId} --only ${parts}`;

/** The functions that the last tested build has, compared with those in the project. */
export const functionsStep: Step = {
  title: 'Functions',
  check: async ({ google, projectId, region }) => {
    const path = `cloudfunctions.googleapis.com/v2/projects/${projectId}/locations/${region}/functions`;
    const functions = await google.list<{ name: string; state?: string }>(path, 'functions');
    const active = functions
      .filter(({ state }) => state === 'ACTIVE')
      .map(({ name }) => name.split('/').at(-1));
    const missing = Object.keys(deployedFunctions).filter((name) => !active.includes(name));
    if (missing.length === 0) return [];
    const text = `These functions do not run in ${region}: ${missing.join(', ')}.`;
    return [{ text, advice: deployOnly('functions', projectId) }];
  },
};

const RULES = 'firebaserules.googleapis.com/v1';

/** https://firebase.google.com/docs/reference/rules/rest */
export const rulesStep: Step = {
  title: 'Rules',
  check: async ({ google, projectId }) => {
    const releases = await google.list<{ name: string; rulesetName: string }>(
      `${RULES}/projects/${projectId}/releases`,
      'releases',
    );
    const findings: Finding[] = [];
    for (const [service, file, part] of [
      ['cloud.firestore', 'firestore.rules', 'firestore:rules'],
      ['firebase.storage', 'storage.rules', 'storage'],
    ] as const) {
      const release = releases.find(({ name }) => name.includes(`/releases/${service}`));
      const ruleset =
        release &&
        (await google.get<{ source: { files: { content: string }[] } }>(`${RULES}/${release.rulesetName}`));
      if (ruleset?.source.files[0]?.content === read(file)) continue;
      const text =
        release === undefined ? `${file} is not deployed.` : `The deployed rules are not those of ${file}.`;
      findings.push({ text, advice: deployOnly(part, projectId) });
    }
    return findings;
  },
};

interface IndexField {
  fieldPath: string;
  order?: string;
  arrayConfig?: string;
}

interface Index {
  queryScope: string;
  fields: IndexField[];
}

interface IndexesFile {
  indexes: (Index & { collectionGroup: string })[];
  fieldOverrides: { collectionGroup: string; fieldPath: string; ttl?: boolean }[];
}

const indexText = (group: string, { queryScope, fields }: Index) =>
  `${group} ${queryScope} ${fields
    .filter(({ fieldPath }) => fieldPath !== '__name__')
    .map(({ fieldPath, order, arrayConfig }) => `${fieldPath} ${order ?? arrayConfig ?? ''}`)
    .join(', ')}`;

/** Composite indexes and TTL policies of firestore.indexes.json. */
export const indexesStep: Step = {
  title: 'Indexes and TTL policies',
  check: async ({ google, projectId }) => {
    const groups = `firestore.googleapis.com/v1/projects/${projectId}/databases/(default)/collectionGroups/-`;
    const file = JSON.parse(read('firestore.indexes.json')) as IndexesFile;
    const indexes = await google.list<Index & { name: string; state: string }>(
      `${groups}/indexes`,
      'indexes',
    );
    const ready = new Set(
      indexes.filter(({ state }) => state === 'READY').map((index) => indexText(groupOf(index.name), index)),
    );
    const filter = encodeURIComponent('ttlConfig:*');
    const fields = await google.list<{ name: string; ttlConfig?: { state: string } }>(
      `${groups}/fields?filter=${filter}`,
      'fields',
    );
    const active = new Set(
      fields.filter(({ ttlConfig }) => ttlConfig?.state === 'ACTIVE').map(({ name }) => ttlText(name)),
    );
    const missingIndexes = file.indexes
      .map((index) => indexText(index.collectionGroup, index))
      .filter((text) => !ready.has(text));
    const missingPolicies = file.fieldOverrides
      .filter(({ ttl }) => ttl === true)
      .map(({ collectionGroup, fieldPath }) => `${collectionGroup}.${fieldPath}`)
      .filter((text) => !active.has(text));
    const advice = `Wait if they are being built. Otherwise: ${deployOnly('firestore:indexes', projectId)}`;
    return [
      ...missingIndexes.map((text) => ({ text: `This index is not ready: ${text}.`, advice })),
      ...missingPolicies.map((text) => ({ text: `This TTL policy is not active: ${text}.`, advice })),
    ];
  },
};

/** The collection group in `…/collectionGroups/{group}/…`. */
const groupOf = (name: string) => /\/collectionGroups\/([^/]+)\//.exec(name)?.[1] ?? '';

const ttlText = (name: string) => `${groupOf(name)}.${name.split('/fields/').at(-1) ?? ''}`;

/** The app answers at its public address. */
export const addressStep: Step = {
  title: 'Address of the app',
  check: async ({ appUrl, projectId }) => {
    const url = `${appUrl}/api/health`;
    const outcome = await fetch(url).then(
      ({ status }) => (status === 200 ? undefined : `answers ${status}`),
      () => 'cannot be reached',
    );
    if (outcome === undefined) return [];
    return [
      {
        text: `${url} ${outcome}.`,
        advice: `Connect the domain to Hosting and deploy: https://console.firebase.google.com/project/${projectId}/hosting`,
      },
    ];
  },
};

interface Job {
  name: string;
  lastAttemptTime?: string;
  status?: { code?: number; message?: string };
}

const jobsOf = ({ projectId, region }: Target) =>
  `cloudscheduler.googleapis.com/v1/projects/${projectId}/locations/${region}/jobs`;

/** The name that the Firebase CLI gives to the job of a scheduled function. */
const jobId = (name: string, { region }: Target) => `firebase-schedule-${name}-${region}`;

/** Copies products and prices to Firestore for the first time. */
export const reconciliationStep: Step = {
  title: 'First reconciliation',
  check: async (target) => {
    const name = `${jobsOf(target)}/${jobId('reconcileBilling', target)}`;
    const job = await unlessMissing(target.google.get<Job>(name));
    if (job === undefined) {
      return [
        {
          text: 'The function reconcileBilling is not deployed.',
          advice: `Run npm run deploy -- --project ${target.projectId}, and then npm run setup again.`,
        },
      ];
    }
    if (job.lastAttemptTime !== undefined) return [];
    return [
      {
        text: 'No reconciliation has run, so Firestore has no prices.',
        action: 'run reconcileBilling',
        apply: async () => {
          await target.google.post<Operation>(`${name}:run`, {});
        },
      },
    ];
  },
};

const MINUTES: Readonly<Record<string, number>> = { minutes: 1, hours: 60 };

/** Each schedule has run in time, and its last run succeeded. */
export const schedulesStep: Step = {
  title: 'Schedules',
  check: async (target) => {
    const jobs = await target.google.list<Job>(jobsOf(target), 'jobs');
    const byId = new Map(jobs.map((job) => [job.name.split('/').at(-1), job]));
    return Object.entries(deployedFunctions).flatMap(([name, { trigger }]) => {
      const [, count, unit = ''] = /^every (\d+) (minutes|hours)$/.exec(trigger) ?? [];
      if (count === undefined) return [];
      const minutes = Number(count) * (MINUTES[unit] ?? 0);
      const problem = problemOf(byId.get(jobId(name, target)), minutes, target.now());
      if (problem === undefined) return [];
      const log = `https://console.cloud.google.com/cloudscheduler?project=${target.projectId}`;
      return [{ text: `${name} ${problem}.`, advice: `Read its log, which ${log} links to.` }];
    });
  },
};

/** A run may be late by as much as its period. */
function problemOf(job: Job | undefined, minutes: number, now: Date): string | undefined {
  if (job === undefined) return 'has no schedule';
  if (job.lastAttemptTime === undefined) return 'has never run';
  const age = (now.getTime() - Date.parse(job.lastAttemptTime)) / 60_000;
  if (age > 2 * minutes) return `ran last at ${job.lastAttemptTime}`;
  const { code = 0, message = `code ${code}` } = job.status ?? {};
  return code === 0 ? undefined : `failed at ${job.lastAttemptTime} (${message})`;
}
