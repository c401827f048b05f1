import { expect, test } from 'vitest';
import { exitCodeOf } from './run.ts';
import { indexesStep } from './steps/indexes.ts';
import { reconciliationStep, schedulesStep } from './steps/schedules.ts';
import { deployedWorld, RECONCILIATION, type World } from './testing/world.ts';

/** A world that was deployed ten minutes ago, and whose pauses call `onPause`. */
async function newRelease(onPause: (world: World) => unknown = () => undefined) {
  const world = await deployedWorld();
  const pauses: number[] = [];
  Object.assign(world.target, {
    isAfterDeploy: true,
    pause: (milliseconds: number) => {
      pauses.push(milliseconds);
      onPause(world);
      return Promise.resolve();
    },
  });
  for (const one of world.fake.project.functions) one.updateTime = '2026-11-22T11:50:00Z';
  return { ...world, pauses };
}

test('a schedule that is too new to have run is no problem', async () => {
  const { fake, run } = await newRelease();
  fake.project.jobs.set(RECONCILIATION, {});
  expect((await run('check', [schedulesStep])).todo).toEqual([]);
  const reconciliation = await run('check', [reconciliationStep]);
  expect(reconciliation.lines.join('\n')).toContain('note: reconcileBilling has not run yet.');
  expect(exitCodeOf(reconciliation)).toBe(0);
});

test('a run that failed before the deployment is no problem', async () => {
  const { fake, run } = await newRelease();
  const failed = { lastAttemptTime: '2026-11-22T11:45:00Z', status: { code: 13 } };
  fake.project.jobs.set(RECONCILIATION, failed);
  expect((await run('check', [schedulesStep])).todo).toEqual([]);
});

test('a run that failed after the deployment is one', async () => {
  const { fake, run } = await newRelease();
  const failed = { lastAttemptTime: '2026-11-22T11:55:00Z', status: { code: 13 } };
  fake.project.jobs.set(RECONCILIATION, failed);
  expect((await run('check', [schedulesStep])).todo).toEqual([
    expect.stringContaining('reconcileBilling failed at 2026-11-22T11:55:00Z (code 13).'),
  ]);
});

test('a schedule that should have run since the deployment is one', async () => {
  const { fake, run } = await newRelease();
  for (const one of fake.project.functions) one.updateTime = '2026-11-22T09:59:00Z';
  fake.project.jobs.set(RECONCILIATION, {});
  expect((await run('check', [schedulesStep])).todo).toEqual([
    expect.stringContaining('reconcileBilling has never run.'),
  ]);
});

test('indexes and TTL policies that are being built are waited for', async () => {
  const { fake, run, pauses } = await newRelease(({ fake: { project } }) => {
    Object.assign(project.indexes[0] ?? {}, { state: 'READY' });
  });
  Object.assign(fake.project.indexes[0] ?? {}, { state: 'CREATING' });
  const { lines, todo } = await run('check', [indexesStep]);
  expect(todo).toEqual([]);
  expect(lines).toEqual(['ok   Indexes and TTL policies']);
  expect(pauses).toEqual([30_000]);
});

test('an index that takes longer than ten minutes is a note', async () => {
  const { fake, run, pauses } = await newRelease();
  const [field] = fake.project.fields.filter(({ ttlConfig }) => ttlConfig !== undefined);
  Object.assign(field ?? {}, { ttlConfig: { state: 'CREATING' } });
  const outcome = await run('check', [indexesStep]);
  expect(outcome.lines.at(-1)).toContain('note: The TTL policy of invitations.deleteAt is being built.');
  expect(exitCodeOf(outcome)).toBe(0);
  expect(pauses).toHaveLength(20);
});

test('an index that nobody builds is a problem at once', async () => {
  const { fake, run, pauses } = await newRelease();
  fake.project.indexes.pop();
  Object.assign(fake.project.indexes[0] ?? {}, { state: 'CREATING' });
  const outcome = await run('check', [indexesStep]);
  expect(exitCodeOf(outcome)).toBe(2);
  expect(pauses).toEqual([]);
});
