import { mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGit, type Git } from './git.ts';
import { upgrade } from './upgrade.ts';

interface Repository extends Git {
  folder: string;
  /** Writes files, or deletes those that are null, and commits them. @returns the commit */
  commit: (files: Record<string, string | null>) => Promise<string>;
  /** Runs the command in this repository. */
  upgrade: (...args: string[]) => Promise<{ code: number; printed: string }>;
}

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n- Teams.\n';
const FILES = {
  'CHANGELOG.md': CHANGELOG,
  'package.json': '{}\n',
  'functions/plans.json': '["free"]\n',
  'functions/src/teams.ts': 'one\ntwo\n',
  'web/index.html': 'index\n',
  'web/page.tsx': 'page\n',
};

/** The repository of Hearth with one commit. */
async function hearthRepository(): Promise<Repository> {
  const hearth = await repository();
  await hearth.commit(FILES);
  return hearth;
}

/** A project that was cloned from Hearth, and has it as the remote that docs/building.md describes. */
async function cloneOf(hearth: Repository): Promise<Repository> {
  const clone = await repository();
  await addRemote(clone, hearth);
  await clone.run('reset', '--hard', 'hearth/main');
  return clone;
}

async function addRemote(project: Repository, hearth: Repository): Promise<void> {
  await project.run('remote', 'add', '--no-tags', 'hearth', hearth.folder);
  await project.run('config', '--add', 'remote.hearth.fetch', '+refs/tags/*:refs/tags/hearth/*');
  await project.run('fetch', 'hearth');
}

async function repository(): Promise<Repository> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-upgrade-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const git = createGit(folder);
  await git.run('init', '--initial-branch=main');
  await git.run('config', 'user.name', 'Ada');
  await git.run('config', 'user.email', 'ada@example.com');
  await git.run('config', 'commit.gpgsign', 'false');
  return {
    ...git,
    folder,
    commit: async (files) => {
      for (const [file, text] of Object.entries(files)) {
        const path = join(folder, file);
        await mkdir(dirname(path), { recursive: true });
        await (text === null ? rm(path) : writeFile(path, text));
      }
      await git.run('add', '--all');
      await git.run('commit', '-m', 'Change files');
      return git.run('rev-parse', 'HEAD');
    },
    upgrade: async (...args) => {
      const lines: string[] = [];
      const code = await upgrade(args, { folder, print: (text) => lines.push(text) });
      return { code, printed: lines.join('\n') };
    },
  };
}

test('a dry run lists new entries and conflicts with the side to prefer, and changes nothing', async () => {
  const hearth = await hearthRepository();
  const project = await cloneOf(hearth);
  await project.commit({
    'functions/plans.json': '["mine"]\n',
    'functions/src/teams.ts': 'one\nmine\n',
    'web/page.tsx': null,
  });
  await hearth.commit({
    'CHANGELOG.md': `${CHANGELOG}- Push messages. Deploy\n  the new function.\n`,
    'functions/plans.json': '["free", "pro"]\n',
    'functions/src/teams.ts': 'one\ntheirs\n',
    'web/page.tsx': 'better page\n',
  });
  await project.run('fetch', 'hearth');
  const before = await project.run('rev-parse', 'HEAD');

  const { code, printed } = await project.upgrade('--from', 'hearth/main', '--dry-run');

  expect(code).toBe(1);
  const [, report = ''] = printed.split(/ is [0-9a-f]{12}, /);
  expect(report).toMatchInlineSnapshot(`
    "with 1 new commit.

    New in the changelog. It names settings, indexes, rules and data that need a step.
      Unreleased, Added
        - Push messages. Deploy the new function.

    3 files in conflict:
      yours: Keep your version.
        functions/plans.json (contents)
      theirs: Take the version of Hearth, and repeat your change if you still need it.
        functions/src/teams.ts (contents)
      yours: Keep your version, or your deletion.
        web/page.tsx (modify/delete)"
  `);
  expect(await project.run('rev-parse', 'HEAD')).toBe(before);
  expect(await project.run('status', '--porcelain')).toBe('');
});

test('an upgrade without conflicts is merged, to a tag of Hearth that has a name of its own', async () => {
  const hearth = await hearthRepository();
  const project = await cloneOf(hearth);
  await project.commit({ 'functions/src/notes.ts': 'mine\n' });
  await project.run('tag', 'v0.2.0');
  await hearth.commit({ 'functions/src/teams.ts': 'one\ntwo\nthree\n' });
  await hearth.run('tag', 'v0.2.0');
  await hearth.commit({ 'functions/src/teams.ts': 'later\n' });
  await project.run('fetch', 'hearth');

  const { code, printed } = await project.upgrade('--from', 'hearth/v0.2.0');

  expect(printed).toContain('No file conflicts.');
  expect(code).toBe(0);
  expect(await readFile(join(project.folder, 'functions/src/teams.ts'), 'utf8')).toBe('one\ntwo\nthree\n');
  expect(await project.run('log', '-1', '--format=%s')).toBe('Merge hearth/v0.2.0 of Hearth');
  expect((await project.upgrade('--from', 'hearth/v0.2.0')).printed).toBe(
    'The project has everything of hearth/v0.2.0.',
  );
});

test('an upgrade to a commit needs no tag', async () => {
  const hearth = await hearthRepository();
  const project = await cloneOf(hearth);
  await hearth.commit({ 'functions/src/teams.ts': 'newer\n' });
  const commit = await hearth.run('rev-parse', 'HEAD');
  await project.run('fetch', 'hearth');

  expect((await project.upgrade('--from', commit)).code).toBe(0);
  expect(await readFile(join(project.folder, 'functions/src/teams.ts'), 'utf8')).toBe('newer\n');
});

test('the announced conflicts are the conflicts of the merge', async () => {
  const hearth = await hearthRepository();
  const project = await cloneOf(hearth);
  await project.commit({ 'functions/src/teams.ts': 'mine\n', 'functions/plans.json': '["mine"]\n' });
  await hearth.commit({ 'functions/src/teams.ts': 'theirs\n', 'web/page.tsx': 'better page\n' });
  await project.run('fetch', 'hearth');

  const { code, printed } = await project.upgrade('--from', 'hearth/main');

  expect(code).toBe(1);
  expect(printed).toContain('1 file in conflict:');
  expect(await project.run('diff', '--name-only', '--diff-filter=U')).toBe('functions/src/teams.ts');
  await project.run('merge', '--abort');
  expect(await project.run('status', '--porcelain')).toBe('');
});

test('a project without the history of Hearth joins it at the commit that package.json names', async () => {
  const hearth = await hearthRepository();
  const commit = await hearth.run('rev-parse', 'HEAD');
  const project = await repository();
  const manifest = JSON.stringify({ name: 'acme', hearth: { commit } });
  await project.commit({ ...FILES, 'package.json': manifest, 'functions/plans.json': '["mine"]\n' });
  await hearth.commit({ 'functions/plans.json': '["free", "pro"]\n', 'web/page.tsx': 'better page\n' });
  await addRemote(project, hearth);

  const planned = await project.upgrade('--from', 'hearth/main', '--dry-run');
  expect(planned.printed).toContain(`joined first, at ${commit.slice(0, 12)}`);
  expect(planned.printed).toContain('1 file in conflict:');
  expect(planned.printed).toContain('functions/plans.json (contents)');
  expect(await project.run('rev-list', '--count', 'HEAD')).toBe('1');

  expect((await project.upgrade('--from', 'hearth/main')).code).toBe(1);
  expect(await project.run('diff', '--name-only', '--diff-filter=U')).toBe('functions/plans.json');
  expect(await readFile(join(project.folder, 'web/page.tsx'), 'utf8')).toBe('better page\n');
});

test('an impossible upgrade prints the reason, and changes nothing', async () => {
  const hearth = await hearthRepository();
  const project = await cloneOf(hearth);
  expect(await project.upgrade()).toMatchObject({
    code: 2,
    printed: expect.stringContaining('Usage') as string,
  });
  expect(await project.upgrade('--from', 'hearth/v9')).toMatchObject({
    code: 2,
    printed: 'git does not know hearth/v9. Fetch it first: git fetch hearth',
  });

  await writeFile(join(project.folder, 'functions/plans.json'), '[]\n');
  expect(await project.upgrade('--from', 'hearth/main')).toMatchObject({
    code: 2,
    printed: 'Commit your changes first, so that git can merge.',
  });
  expect((await project.upgrade('--from', 'hearth/main', '--dry-run')).printed).toContain(
    'Changes that are not committed are not considered.',
  );

  const foreign = await repository();
  await foreign.commit({ 'package.json': '{}\n' });
  await addRemote(foreign, hearth);
  expect(await foreign.upgrade('--from', 'hearth/main')).toMatchObject({
    code: 2,
    printed: expect.stringContaining('no history in common') as string,
  });
});
