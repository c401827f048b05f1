import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './paths.ts';
import { isSource, isWatched, watchSources } from './watch.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'hearth-watch-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('a change builds, also after a build that failed, and a change during a build builds once more', async () => {
  const path = await folder();
  const builds: PromiseWithResolvers<undefined>[] = [];
  let next = Promise.withResolvers<undefined>();
  const end = watchSources([relative(ROOT, path)], () => {
    const build = Promise.withResolvers<undefined>();
    builds.push(build);
    next.resolve(undefined);
    return build.promise;
  });
  onTestFinished(end);
  /** The file system may report a change several times, so that there may be further builds. */
  const startedBuild = async () => {
    await next.promise;
    next = Promise.withResolvers();
  };

  await writeFile(join(path, 'a.ts'), '1');
  await startedBuild();
  await writeFile(join(path, 'a.ts'), '2');
  builds.at(-1)?.reject(new Error('A mistake in the code'));
  await startedBuild();
  builds.at(-1)?.resolve(undefined);
  await writeFile(join(path, 'b.ts'), '3');
  await startedBuild();
  expect(builds.length).toBeGreaterThanOrEqual(3);
});

test('a change of a file that is watched alone builds, also if an editor replaces the file', async () => {
  const path = await folder();
  await writeFile(join(path, 'plans.json'), '[]');
  let next = Promise.withResolvers<undefined>();
  const end = watchSources([join(relative(ROOT, path), 'plans.json')], () => {
    next.resolve(undefined);
    return Promise.resolve();
  });
  onTestFinished(end);

  for (let round = 0; round < 2; round++) {
    next = Promise.withResolvers();
    await writeFile(join(path, 'plans.json.new'), String(round));
    await rename(join(path, 'plans.json.new'), join(path, 'plans.json'));
    await next.promise;
  }
});

test('sources are folders and files', () => {
  const sources = ['functions/src', 'functions/plans.json'];
  const files = [
    'functions/src/app.ts',
    'functions/plans.json',
    'functions/src/app.test.ts',
    'functions/a.json',
  ];
  expect(files.filter((file) => isWatched(file, sources))).toEqual(files.slice(0, 2));
});

test.each([
  ['teams/team.service.ts', true],
  ['library.ts', true],
  ['teams/team.service.test.ts', false],
  ['pages/team.test.tsx', false],
  ['dist/index.html', false],
  ['node_modules/preact/index.js', false],
  ['app.ts~', false],
])('a change of %s builds: %s', (file, builds) => {
  expect(isSource(file)).toBe(builds);
});
