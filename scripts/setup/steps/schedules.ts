import deployedFunctions from '../../deployed-functions.json' with { type: 'json' };
import { unlessMissing, type Operation } from '../google.ts';
import type { Finding, Step, Target } from '../step.ts';
import { deployNamed } from './deploy-only.ts';
import { listFunctions, type DeployedFunction } from './functions.ts';

interface Job {
  name: string;
  /** `PAUSED` if a person has paused it. */
  state?: string;
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
      const isDeployed = (await listFunctions(target)).get('reconcileBilling')?.state === 'ACTIVE';
      if (isDeployed) return [withoutSchedule('reconcileBilling', target)];
      return [
        {
          text: 'The function reconcileBilling is not deployed.',
          advice: `Run npm run deploy -- --project ${target.projectId}, and then npm run setup again.`,
        },
      ];
    }
    if (job.lastAttemptTime !== undefined) return [];
    if (target.isAfterDeploy) return [{ text: 'reconcileBilling has not run yet.', isNote: true }];
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
    const functions = await listFunctions(target);
    return Object.entries(deployedFunctions).flatMap(([name, { trigger }]) => {
      const [, count, unit = ''] = /^every (\d+) (minutes|hours)$/.exec(trigger) ?? [];
      if (count === undefined) return [];
      const minutes = Number(count) * (MINUTES[unit] ?? 0);
      const job = byId.get(jobId(name, target));
      if (job === undefined) return [withoutSchedule(name, target)];
      if (job.state === 'PAUSED') return [paused(name, target)];
      const problem = problemOf(job, functions.get(name), minutes, target.now());
      if (problem === undefined) return [];
      const log = `https://console.cloud.google.com/cloudscheduler?project=${target.projectId}`;
      return [{ text: `${name} ${problem}.`, advice: `Read its log, which ${log} links to.` }];
    });
  },
};

/** A deployment makes the schedule after its function, so that it may have ended between the two. */
function withoutSchedule(name: string, { projectId }: Target): Finding {
  return { text: `${name} has no schedule.`, advice: deployNamed([name], projectId) };
}

function paused(name: string, target: Target): Finding {
  const { projectId, region } = target;
  const command = `gcloud scheduler jobs resume ${jobId(name, target)} --location ${region} --project ${projectId}`;
  return { text: `The schedule of ${name} is paused.`, advice: `Run ${command}` };
}

/** A run may be late by as much as its period. */
function problemOf(
  job: Job,
  deployed: DeployedFunction | undefined,
  minutes: number,
  now: Date,
): string | undefined {
  const { lastAttemptTime: lastRun, status } = job;
  const isInTime = (time: string) => now.getTime() - Date.parse(time) <= 2 * minutes * 60_000;
  const deployedAt = deployed?.updateTime ?? deployed?.createTime;
  if (deployedAt !== undefined && isInTime(deployedAt) && !isAfter(lastRun, deployedAt)) return undefined;
  if (lastRun === undefined) return 'has never run';
  if (!isInTime(lastRun)) return `ran last at ${lastRun}`;
  const { code = 0, message = `code ${code}` } = status ?? {};
  return code === 0 ? undefined : `failed at ${lastRun} (${message})`;
}

/**
 * Whether a schedule has run since its function was deployed. An earlier run says nothing about what is deployed now.
 */
function isAfter(lastRun: string | undefined, deployedAt: string): boolean {
  return lastRun !== undefined && Date.parse(lastRun) >= Date.parse(deployedAt);
}
