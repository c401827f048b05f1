import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../paths.ts';
import { IS_HEARTH } from '../prose.ts';
import { versionHeadingsOf } from './changelog.ts';
import { releaseFaults } from './releases.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as { version: string };

test('package.json, its lock file and the changelog have one version', () => {
  const headings = versionHeadingsOf(read('CHANGELOG.md'));
  // A project that was made from Hearth has versions of its own, and keeps the changelog of Hearth.
  const version = IS_HEARTH ? manifest.version : (/^\d+\.\d+\.\d+/.exec(headings[1] ?? '')?.[0] ?? '');
  expect(releaseFaults(headings, version)).toEqual([]);
  expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version: manifest.version });
});

test.each<[string, string[], string, string[]]>([
  ['before the first release', ['Unreleased'], '0.1.0', []],
  ['after two releases', ['Unreleased', '0.10.0 - 2027-02-01', '0.9.0 - 2027-01-31'], '0.10.0', []],
  ['without a place for changes', ['0.1.0 - 2027-01-31'], '0.1.0', ['The first heading is not Unreleased.']],
  [
    'with a forgotten package.json',
    ['Unreleased', '0.2.0 - 2027-01-31'],
    '0.1.0',
    ['package.json has 0.1.0, the changelog 0.2.0.'],
  ],
  [
    'with a heading in another form',
    ['Unreleased', 'v0.2 (January)'],
    '0.1.0',
    ['"v0.2 (January)" is not a version and a date.'],
  ],
  [
    'in the wrong order',
    ['Unreleased', '0.1.0 - 2027-01-31', '0.2.0 - 2027-02-01'],
    '0.1.0',
    ['0.2.0 is below 0.1.0.'],
  ],
])('%s, the faults of a changelog are found', (_when, headings, version, faults) => {
  expect(releaseFaults(headings, version)).toEqual(faults);
});

test('the guide of a release names the heading, the command and the tag that deploys', () => {
  const guide = /\n## Releases\n((?:(?!^## ).*\n)+)/m.exec(read('CONTRIBUTING.md'))?.[1] ?? '';
  const [, example = ''] = /as `## (.+?)`/.exec(guide) ?? [];
  expect(releaseFaults(['Unreleased', example], example.split(' ')[0] ?? '')).toEqual([]);
  expect(guide).toContain('npm version <version> --no-git-tag-version');
  const [, prefix] = /`git tag (\w)<version>`/.exec(guide) ?? [];
  const workflow = parse(read('.github/workflows/deploy.yml')) as { on: { push: { tags: string[] } } };
  expect(workflow.on.push.tags).toEqual([`${prefix ?? ''}*`]);
});
