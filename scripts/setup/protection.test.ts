import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deletedFilesStep } from './steps/protection.ts';
import { openTarget } from './target.ts';
import { enabledWorld, isChange, newWorld } from './testing/world.ts';

const DATABASE = 'projects/acme-1/databases/(default)';
const DAILY = { name: `${DATABASE}/backupSchedules/mine`, retention: '2592000s', dailyRecurrence: {} };

test('a new database gets point-in-time recovery, backups and protection from being deleted', async () => {
  const { fake, run } = await newWorld();
  const { failures, lines } = await run('apply');
  expect(failures).toEqual([]);
  expect(fake.unknown).toEqual([]);
  expect(fake.project.database).toMatchObject({
    pointInTimeRecoveryEnablement: 'POINT_IN_TIME_RECOVERY_ENABLED',
    deleteProtectionState: 'DELETE_PROTECTION_ENABLED',
  });
  expect(fake.project.backupSchedules).toMatchObject([
    { retention: '604800s', dailyRecurrence: {} },
    { retention: '8467200s', weeklyRecurrence: { day: 'SUNDAY' } },
  ]);
  expect(fake.project.softDeleteSeconds).toBe(604_800);
  expect(lines).toContain(
    '       done: keep weekly backups for 98 days, for about $0.42 for each GiB of the database and month',
  );
});

test('a second run leaves the schedules alone', async () => {
  const { fake, run } = await newWorld();
  await run('apply');
  fake.seen.length = 0;
  expect((await run('apply')).changes).toBe(0);
  expect(fake.seen.filter(isChange)).toEqual([]);
  expect(fake.project.backupSchedules).toHaveLength(2);
});

test('a dry run names the cost and changes nothing', async () => {
  const { fake, run } = await enabledWorld();
  const text = (await run('plan')).lines.join('\n');
  expect(text).toContain('would: switch on point-in-time recovery of 7 days, for about $0.18 for each GiB');
  expect(text).toContain('would: keep daily backups for 7 days, for about $0.21 for each GiB');
  expect(fake.seen.filter(isChange)).toEqual([]);
});

test('a schedule with a shorter retention is updated, not doubled', async () => {
  const { fake, run } = await newWorld();
  fake.project.backupSchedules = [{ ...DAILY, retention: '86400s' }];
  await run('apply');
  expect(fake.project.backupSchedules.map(({ retention }) => retention)).toEqual(['604800s', '8467200s']);
});

test('a longer retention stays, unless a setting asks for a shorter one', async () => {
  const other = await newWorld();
  other.fake.project.backupSchedules = [{ ...DAILY }];
  await other.run('apply');
  expect(other.fake.project.backupSchedules[0]?.retention).toBe('2592000s');

  const chosen = await newWorld({ BACKUP_DAILY_DAYS: '3', DELETED_FILES_DAYS: '30' });
  chosen.fake.project.backupSchedules = [{ ...DAILY }];
  await chosen.run('apply');
  expect(chosen.fake.project.backupSchedules[0]?.retention).toBe('259200s');
  expect(chosen.fake.project.softDeleteSeconds).toBe(30 * 86_400);
});

test('backups that are switched off are not created, and existing ones stay', async () => {
  const off = { POINT_IN_TIME_RECOVERY: 'false', BACKUP_DAILY_DAYS: '0', BACKUP_WEEKLY_WEEKS: '0' };
  const { fake, run, folder } = await newWorld(off);
  fake.project.backupSchedules = [{ ...DAILY }];
  await run('apply');
  expect(fake.project.backupSchedules).toEqual([DAILY]);
  expect(fake.project.database).not.toHaveProperty('pointInTimeRecoveryEnablement');
  // The doctor finds the choice there.
  expect(readFileSync(join(folder, '.env.acme-1'), 'utf8')).toContain('BACKUP_WEEKLY_WEEKS="0"');
});

test('a choice of 0 days switches soft delete off, which Google switches on for every new bucket', async () => {
  const { fake, run } = await newWorld({ DELETED_FILES_DAYS: '0' });
  const { lines } = await run('apply');
  expect(fake.project.softDeleteSeconds).toBe(0);
  expect(lines).toContain(
    '       done: switch off soft delete, so that files deleted from then on can no longer be restored',
  );
  expect((await run('apply')).changes).toBe(0);

  fake.project.softDeleteSeconds = 604_800;
  expect((await run('check', [deletedFilesStep])).todo).toEqual([
    'Files are kept, and billed, for 7 days after they were deleted, although DELETED_FILES_DAYS is 0.',
  ]);
});

test('a bucket without soft delete gets it, unless the choice is 0 days', async () => {
  const { fake, run } = await newWorld();
  await run('apply');
  fake.project.softDeleteSeconds = 0;
  await run('apply');
  expect(fake.project.softDeleteSeconds).toBe(604_800);
});

test('the doctor describes how to switch on missing protections', async () => {
  const { fake, run } = await newWorld();
  await run('apply');
  fake.project.backupSchedules = [];
  const { lines } = await run('check');
  expect(lines.join('\n')).toContain(
    'wrong: There are no daily backups. Run npm run setup, which will keep daily backups for 7 days, for about',
  );
});

test('a missing billing account is reported, and nothing fails', async () => {
  const { fake, run } = await newWorld();
  fake.project.billingEnabled = false;
  const { failures, todo } = await run('apply');
  expect(failures).toEqual([]);
  expect(todo.join('\n')).toContain('There are no daily backups. There are no weekly backups. Backups need');
  expect(fake.project.backupSchedules).toEqual([]);
});

test.each([
  ['', true, { days: 7, isChosen: true }],
  ['yes', true, { days: 7, isChosen: true }],
  ['no', false, { days: 0, isChosen: true }],
])('the answer "%s" to the question about the cost is remembered', async (answer, isOn, dailyBackups) => {
  const { target } = await newWorld();
  const asked: string[] = [];
  const opened = await openTarget({
    ...{ projectId: 'acme-1', google: target.google, settingsFolder: target.settingsFolder },
    ...{ region: 'europe-west1', purpose: 'setup' },
    environment: { APP_URL: 'https://app.example.com', MAIL_FROM: 'a@example.com' },
    ask: (question, { hidden }) => {
      if (!hidden) asked.push(question);
      return Promise.resolve(hidden ? '' : answer);
    },
  });
  expect(asked).toHaveLength(2);
  expect(asked[0]).toContain('They cost money');
  expect(asked[0]).toContain('https://cloud.google.com/firestore/pricing');
  expect(opened.protection).toMatchObject({ pointInTimeRecovery: isOn, dailyBackups });
  expect(opened.settings).toMatchObject({
    POINT_IN_TIME_RECOVERY: String(isOn),
    BACKUP_DAILY_DAYS: String(dailyBackups.days),
  });
});

test.each([
  ['BACKUP_DAILY_DAYS', '99', 'BACKUP_DAILY_DAYS: must be 0 to 98'],
  ['BACKUP_WEEKLY_WEEKS', 'x', 'BACKUP_WEEKLY_WEEKS: must be 0 to 14'],
  ['DELETED_FILES_DAYS', '3', 'DELETED_FILES_DAYS: must be 0, or 7 to 90'],
])('%s=%s is refused', async (name, value, message) => {
  await expect(newWorld({ [name]: value })).rejects.toThrow(message);
});
