import * as z from 'zod';
import type { Ask } from './ask.ts';

/** Days for which something is kept. */
export interface Retention {
  /** 0 if nothing is to be kept. */
  days: number;
  /** True if the operator chose it. Otherwise it is the least, and a longer one stays. */
  isChosen: boolean;
}

/** The ways back to data that was deleted or overwritten. */
export interface Protection {
  pointInTimeRecovery: boolean;
  dailyBackups: Retention;
  weeklyBackups: Retention;
  deletedFiles: Retention;
}

interface Choice {
  name: string;
  fallback: string;
  schema: z.ZodType<string>;
}

const DAYS_OF_WEEK = 7;

/** Google keeps a backup for at most 14 weeks. */
const MOST_WEEKS = 14;

const number = (isAllowed: (value: number) => boolean, values: string) =>
  z.string().refine((text) => /^\d+$/.test(text) && isAllowed(Number(text)), `must be ${values}`);

/**
 * The settings of the set-up that no function reads. Lost data cannot be bought back, so everything is on by default.
 */
const CHOICES = {
  pointInTimeRecovery: {
    name: 'POINT_IN_TIME_RECOVERY',
    fallback: 'true',
    schema: z.enum(['true', 'false']),
  },
  dailyBackups: {
    name: 'BACKUP_DAILY_DAYS',
    fallback: '7',
    schema: number((days) => days <= MOST_WEEKS * DAYS_OF_WEEK, '0 to 98'),
  },
  weeklyBackups: {
    name: 'BACKUP_WEEKLY_WEEKS',
    fallback: '14',
    schema: number((weeks) => weeks <= MOST_WEEKS, '0 to 14'),
  },
  deletedFiles: {
    name: 'DELETED_FILES_DAYS',
    fallback: '7',
    schema: number((days) => days === 0 || (days >= DAYS_OF_WEEK && days <= 90), '0, or 7 to 90'),
  },
} satisfies Record<keyof Protection, Choice>;

/** The names of these settings. */
export const PROTECTION_NAMES: readonly string[] = Object.values(CHOICES).map(({ name }) => name);

const PRICE_LIST = 'https://cloud.google.com/firestore/pricing';

/** Estimates in US dollars for a GiB and a month in the multi-region nam5. The price list decides. */
const PRICES = { pointInTime: 0.18, backup: 0.03 };

/** The price of point-in-time recovery, in words. */
export const POINT_IN_TIME_COST = `about $${PRICES.pointInTime.toFixed(2)} for each GiB of the database and month`;

/** The price of a number of backups, in words. */
export function backupCost(copies: number): string {
  return `about $${(copies * PRICES.backup).toFixed(2)} for each GiB of the database and month`;
}

const QUESTION = [
  'Backups of Firestore protect against deleted and overwritten documents. They cost money:',
  `  point-in-time recovery of 7 days: ${POINT_IN_TIME_COST}`,
  `  daily backups, kept for 7 days: ${backupCost(7)}`,
  `  weekly backups, kept for 14 weeks: ${backupCost(14)}`,
  `Prices differ by region and may have changed: ${PRICE_LIST}`,
  'Switch them on? (yes or no)',
].join('\n');

/**
 * Collects the choices of the operator. Asks once if nothing is known about backups, and returns the choices to
 * remember.
 *
 * @throws Error for a value that is not allowed
 */
export async function chooseProtection(
  environment: Readonly<Record<string, string | undefined>>,
  stored: Readonly<Record<string, string>>,
  ask: Ask | undefined,
): Promise<{ protection: Protection; chosen: Record<string, string> }> {
  const { pointInTimeRecovery, dailyBackups, weeklyBackups, deletedFiles } = CHOICES;
  const chosen: Record<string, string> = {};
  for (const { name, schema } of Object.values(CHOICES)) {
    const value = environment[name] ?? stored[name];
    if (value !== undefined) chosen[name] = parsed(name, schema, value);
  }
  const ofDatabase = [pointInTimeRecovery, dailyBackups, weeklyBackups];
  if (ask !== undefined && !ofDatabase.some(({ name }) => name in chosen)) {
    const isWanted = !/^no?$/i.test(await ask(QUESTION, { hidden: false, fallback: 'yes' }));
    const off = { [pointInTimeRecovery.name]: 'false' };
    for (const { name, fallback } of ofDatabase) chosen[name] = isWanted ? fallback : (off[name] ?? '0');
  }
  const retention = ({ name, fallback }: Choice, unit = 1): Retention => ({
    days: Number(chosen[name] ?? fallback) * unit,
    isChosen: name in chosen,
  });
  const protection = {
    pointInTimeRecovery: (chosen[pointInTimeRecovery.name] ?? pointInTimeRecovery.fallback) === 'true',
    dailyBackups: retention(dailyBackups),
    weeklyBackups: retention(weeklyBackups, DAYS_OF_WEEK),
    deletedFiles: retention(deletedFiles),
  };
  return { protection, chosen };
}

function parsed(name: string, schema: z.ZodType<string>, value: string): string {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new Error(`${name}: ${error.issues[0]?.message ?? 'is not allowed'}`);
  return data;
}
