import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGit } from '../scripts/upgrade/git.ts';
import { upgrade } from '../scripts/upgrade/upgrade.ts';
import { createProject } from './project.ts';
import { unpackTemplate } from './template.ts';

const CHECKOUT = resolve(import.meta.dirname, '..');

/** A repository with all files of `folder` in one commit. */
async function committed(folder: string) {
  const git = createGit(folder);
  await git.run('init', '--quiet', '--initial-branch=main');
  for (const [key, value] of Object.entries({ 'user.name': 'Ada', 'user.email': 'ada@example.com' })) {
    await git.run('config', key, value);
  }
  await git.run('add', '--all', '--force');
  await git.run('commit', '--quiet', '-m', 'First');
  return git;
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
}

/** A repository of Hearth, and a project that was made from it and never changed. */
async function madeProject(pages: boolean, changed: Readonly<Record<string, string>> = {}) {
  const parent = await mkdtemp(join(tmpdir(), 'hearth-upgraded-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const [template, folder] = [join(parent, 'hearth'), join(parent, 'lighthouse')];
  await unpackTemplate(CHECKOUT, template);
  await writeAll(template, changed);
  const hearth = await committed(template);
  await createProject({ folder, template, name: 'Lighthouse', plans: undefined, pages });
  const project = await committed(folder);
  await project.run('remote', 'add', '--no-tags', 'hearth', template);
  /** Appends a line to files of Hearth, or adds them, writes others, and upgrades the project. */
  const upgradeTo = async (files: readonly string[], written: Readonly<Record<string, string>> = {}) => {
    await writeAll(template, written);
    for (const file of files) {
      const path = join(template, file);
      await mkdir(dirname(path), { recursive: true });
      await (existsSync(path) ? appendFile(path, '// newer\n') : writeFile(path, 'new\n'));
    }
    await hearth.run('add', '--all', '--force');
    await hearth.run('commit', '--quiet', '-m', 'Newer');
    await project.run('fetch', '--quiet', 'hearth');
    const lines: string[] = [];
    const code = await upgrade(['--from', 'hearth/main'], { folder, print: (text) => lines.push(text) });
    return { code, printed: lines.join('\n') };
  };
  return { folder, hearth, project, upgradeTo };
}

const ELSEWHERE = ['functions/src/app.ts', 'functions/src/new.ts'];
const OF_MAKER = [
  'create-hearth/main.ts',
  'create-hearth/new/file.ts',
  'tests/alone/create-hearth.test.ts',
  'tests/support/linked-packages.ts',
];
const OF_WEB_APP = [
  'web/src/new.ts',
  'web/index.html',
  'tests/browser/new.test.ts',
  'tests/browser/theme.test.ts',
];

test('an upgrade brings no part that the project was made without, and no conflict in one, each time', async () => {
  const { folder, project, upgradeTo } = await madeProject(false);
  const gone = [...OF_MAKER, ...OF_WEB_APP];
  for (const expected of ['joined first', 'with 1 new commit']) {
    const { code, printed } = await upgradeTo([...gone, ...ELSEWHERE]);
    expect(printed).toContain(expected);
    expect(printed).toContain('The project has no create-hearth/: its files and tests are left out.');
    expect(printed).toContain('The project has no web/: its files and tests are left out.');
    expect(printed).toContain('No file conflicts.');
    expect(code).toBe(0);
    expect(await project.run('ls-files', 'create-hearth', 'web', ...gone)).toBe('');
    expect([...gone, 'create-hearth', 'web'].filter((file) => existsSync(join(folder, file)))).toEqual([]);
    expect(await project.run('log', '-1', '--format=%s')).toBe('Merge hearth/main of Hearth');
    expect(await project.run('status', '--porcelain')).toBe('');
    expect(existsSync(join(folder, 'functions/src/new.ts'))).toBe(true);
  }
});

test('an upgrade brings what is new in the parts that the project has, and keeps its own conflicts', async () => {
  const { folder, project, upgradeTo } = await madeProject(true);
  await appendFile(join(folder, 'functions/src/app.ts'), '// mine\n');
  await project.run('commit', '--quiet', '--all', '-m', 'Mine');
  const { code, printed } = await upgradeTo([...OF_MAKER, ...OF_WEB_APP, ...ELSEWHERE]);
  expect(code).toBe(1);
  expect(printed).toContain('1 file in conflict:');
  expect(await project.run('diff', '--name-only', '--diff-filter=U')).toBe('functions/src/app.ts');
  expect(OF_MAKER.filter((file) => existsSync(join(folder, file)))).toEqual([]);
  expect(OF_WEB_APP.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  await project.run('merge', '--abort');
  expect(await project.run('status', '--porcelain')).toBe('');
});

test('an upgrade of a page that lacks only links is no conflict, and brings no links into a part back', async () => {
  const { folder, project, upgradeTo } = await madeProject(false, {
    'docs/building.md': '[the app](../web/README.md) is here\n',
    'docs/glossary.md': 'words\n',
  });
  const { code, printed } = await upgradeTo([], {
    'docs/building.md': '[the app](../web/README.md) and [the maker](../create-hearth/README.md) are here\n',
    'docs/glossary.md': 'words of [the app](../web/README.md)\n',
  });
  expect(printed).toContain('No file conflicts.');
  expect(code).toBe(0);
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  expect(await read('docs/building.md')).toBe('the app and the maker are here\n');
  expect(await read('docs/glossary.md')).toBe('words of the app\n');
  expect(await project.run('status', '--porcelain')).toBe('');
});

test('an upgrade deletes a page that lacks only links, and leaves links in pages of the project alone', async () => {
  const { folder, hearth, project, upgradeTo } = await madeProject(false, {
    'docs/glossary.md': '[the app](../web/README.md)\n',
  });
  await mkdir(join(folder, 'apps'));
  await writeFile(join(folder, 'apps/README.md'), '[my site](web/README.md)\n');
  await project.run('add', '--all');
  await project.run('commit', '--quiet', '-m', 'Mine');
  await hearth.run('rm', '--quiet', 'docs/glossary.md');
  expect(await upgradeTo([])).toMatchObject({ code: 0 });
  expect(existsSync(join(folder, 'docs/glossary.md'))).toBe(false);
  expect(await readFile(join(folder, 'apps/README.md'), 'utf8')).toBe('[my site](web/README.md)\n');
  expect(await project.run('status', '--porcelain')).toBe('');
});

test('a page that the project has changed stays in conflict', async () => {
  const { folder, project, upgradeTo } = await madeProject(false, { 'docs/glossary.md': 'words\n' });
  await writeFile(join(folder, 'docs/glossary.md'), 'my words\n');
  await project.run('commit', '--quiet', '--all', '-m', 'Mine');
  const { code, printed } = await upgradeTo([], { 'docs/glossary.md': 'their words\n' });
  expect(code).toBe(1);
  expect(printed).toContain('docs/glossary.md (contents)');
  expect(await project.run('diff', '--name-only', '--diff-filter=U')).toBe('docs/glossary.md');
});

test('files of its own in the place of a part stay, and get the changes of Hearth', async () => {
  const { folder, project, upgradeTo } = await madeProject(false);
  await mkdir(join(folder, 'tests/browser'), { recursive: true });
  await writeFile(join(folder, 'tests/browser/mine.test.ts'), 'mine\n');
  await project.run('add', '--all');
  await project.run('commit', '--quiet', '-m', 'Mine');
  expect(await upgradeTo(OF_WEB_APP)).toMatchObject({ code: 0 });
  expect(await project.run('ls-files', 'tests/browser')).toBe('tests/browser/mine.test.ts');
});
