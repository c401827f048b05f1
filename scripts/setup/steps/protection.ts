import { unlessMissing, type Operation } from '../google.ts';
import { backupCost, POINT_IN_TIME_COST, type Retention } from '../protection.ts';
import type { Finding, Step, Target } from '../step.ts';
import { BUCKETS, defaultBucket, FIRESTORE } from './places.ts';
import { hasBilling } from './project.ts';

const SECONDS_OF_DAY = 86_400;

interface Database {
  pointInTimeRecoveryEnablement?: string;
  deleteProtectionState?: string;
}

interface Schedule {
  name?: string;
  /** Seconds, as `604800s`. */
  retention?: string;
  dailyRecurrence?: object;
  weeklyRecurrence?: object;
}

const databaseOf = ({ projectId }: Target) => `${FIRESTORE}/projects/${projectId}/databases/(default)`;

/**
 * Never switches off, shortens or deletes a protection unless the operator chose that.
 *
 * https://cloud.google.com/firestore/docs/reference/rest/v1/projects.databases.backupSchedules
 */
export const backupsStep: Step = {
  title: 'Backups',
  check: async (target) => {
    const { google, protection } = target;
    const database = (await unlessMissing(google.get<Database>(databaseOf(target)))) ?? {};
    const listed = google.get<{ backupSchedules?: Schedule[] }>(`${databaseOf(target)}/backupSchedules`);
    const schedules = (await unlessMissing(listed))?.backupSchedules ?? [];
    const paid = [
      ...pointInTime(target, database),
      ...backups(target, schedules, protection.dailyBackups, DAILY),
      ...backups(target, schedules, protection.weeklyBackups, WEEKLY),
    ];
    const isPaidFor = paid.length === 0 || (await hasBilling(target));
    return [...deleteProtection(target, database), ...(isPaidFor ? paid : [needsBilling(paid)])];
  },
};

function needsBilling(paid: readonly Finding[]): Finding {
  return {
    text: paid.map(({ text }) => text).join(' '),
    advice: 'Backups need the Blaze plan. Choose it, and run npm run setup again.',
  };
}

function pointInTime(target: Target, database: Database): Finding[] {
  const wanted = 'POINT_IN_TIME_RECOVERY_ENABLED';
  if (!target.protection.pointInTimeRecovery || database.pointInTimeRecoveryEnablement === wanted) return [];
  return [
    {
      text: 'Point-in-time recovery is off, so documents cannot be read as they were.',
      action: `switch on point-in-time recovery of 7 days, for ${POINT_IN_TIME_COST}`,
      apply: () => change(target, { pointInTimeRecoveryEnablement: wanted }),
    },
  ];
}

function deleteProtection(target: Target, database: Database): Finding[] {
  const wanted = 'DELETE_PROTECTION_ENABLED';
  if (database.deleteProtectionState === wanted) return [];
  return [
    {
      text: 'The database is not protected from being deleted.',
      action: 'protect the database from being deleted, which is free',
      apply: () => change(target, { deleteProtectionState: wanted }),
    },
  ];
}

async function change(target: Target, fields: Database): Promise<void> {
  const path = `${databaseOf(target)}?updateMask=${Object.keys(fields).join(',')}`;
  await target.google.finish(FIRESTORE, await target.google.patch<Operation>(path, fields));
}

interface Recurrence {
  word: string;
  /** Days between two backups. */
  every: number;
  key: 'dailyRecurrence' | 'weeklyRecurrence';
  body: object;
}

const DAILY: Recurrence = { word: 'daily', every: 1, key: 'dailyRecurrence', body: {} };
const WEEKLY: Recurrence = { word: 'weekly', every: 7, key: 'weeklyRecurrence', body: { day: 'SUNDAY' } };

/** A database has at most one schedule of each recurrence. */
function backups(
  target: Target,
  schedules: readonly Schedule[],
  wanted: Retention,
  { word, every, key, body }: Recurrence,
): Finding[] {
  const { google } = target;
  const found = schedules.find((schedule) => schedule[key] !== undefined);
  const current = Number.parseFloat(found?.retention ?? '0') / SECONDS_OF_DAY;
  // 0 creates no schedule, and deletes none.
  if (wanted.days === 0 || isKept(current, wanted)) return [];
  const cost = backupCost(Math.ceil(wanted.days / every));
  const retention = `${wanted.days * SECONDS_OF_DAY}s`;
  if (found?.name === undefined) {
    return [
      {
        text: `There are no ${word} backups.`,
        action: `keep ${word} backups for ${wanted.days} days, for ${cost}`,
        apply: async () => {
          await google.post(`${databaseOf(target)}/backupSchedules`, { retention, [key]: body });
        },
      },
    ];
  }
  const path = `${FIRESTORE}/${found.name}?updateMask=retention`;
  return [
    {
      text: `The ${word} backups are kept for ${current} days, not ${wanted.days}.`,
      action: `keep new ${word} backups for ${wanted.days} days, for ${cost}`,
      apply: async () => {
        await google.patch(path, { retention });
      },
    },
  ];
}

/** True if nothing needs to be done, given the number of days that data is kept. */
function isKept(current: number, { days, isChosen }: Retention): boolean {
  return isChosen ? current === days : current >= days;
}

/**
 * Google switches soft delete on for every new bucket, so 0 days must be set. Files that were deleted before that stay
 * for their days.
 *
 * Soft delete also keeps a file that was overwritten, so object versioning, which has no end by itself, is not used.
 *
 * https://cloud.google.com/storage/docs/soft-delete
 */
export const deletedFilesStep: Step = {
  title: 'Deleted files',
  check: async (target) => {
    const { google, protection } = target;
    const bucket = await defaultBucket(target);
    if (bucket === undefined) return [];
    const path = `${BUCKETS}/${bucket}`;
    const { softDeletePolicy } = await google.get<{
      softDeletePolicy?: { retentionDurationSeconds?: string };
    }>(path);
    const current = Number(softDeletePolicy?.retentionDurationSeconds ?? '0') / SECONDS_OF_DAY;
    const { deletedFiles: wanted } = protection;
    if (isKept(current, wanted)) return [];
    const retentionDurationSeconds = String(wanted.days * SECONDS_OF_DAY);
    return [
      {
        ...retentionWords(current, wanted.days),
        apply: async () => {
          await google.patch(path, { softDeletePolicy: { retentionDurationSeconds } });
        },
      },
    ];
  },
};

function retentionWords(current: number, wanted: number): { text: string; action: string } {
  if (wanted === 0) {
    return {
      text: `Files are kept, and billed, for ${current} days after they were deleted, although DELETED_FILES_DAYS is 0.`,
      action: 'switch off soft delete, so that files deleted from then on can no longer be restored',
    };
  }
  return {
    text: `Files can be restored for ${current} days after they were deleted, not ${wanted}.`,
    action: `keep deleted files for ${wanted} days, which are billed like other files`,
  };
}
