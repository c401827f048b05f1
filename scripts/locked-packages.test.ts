import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assertLocked } from './locked-packages.ts';
import { FUNCTIONS } from './paths.ts';

/** A project with these installed packages, and with a lock file unless `locked` is undefined. */
function projectWith(installed: Record<string, string>, locked?: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-locked-')));
  onTestFinished(() => {
    rmSync(root, { recursive: true });
  });
  for (const [path, version] of Object.entries(installed)) {
    mkdirSync(join(root, path), { recursive: true });
    const name = path.split('node_modules/').at(-1);
    writeFileSync(join(root, path, 'package.json'), JSON.stringify({ name, version }));
  }
  if (locked !== undefined) {
    const packages = Object.entries(locked).map(([path, version]) => [path, { version }] as const);
    const lock = { lockfileVersion: 3, packages: Object.fromEntries(packages) };
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock));
  }
  return root;
}

const check = (root: string, files: readonly string[]) => () => {
  assertLocked(join(root, 'functions'), files, root);
};

const SOURCES = ['src/index.ts', '../node_modules/stripe/esm/stripe.js', 'node_modules/@scope/own/index.js'];
const STRIPE = 'node_modules/stripe';
const OWN = 'functions/node_modules/@scope/own';

test('a bundle of the packages of the lock file is built', () => {
  const versions = { [STRIPE]: '2.0.0', [OWN]: '1.0.0' };
  expect(check(projectWith(versions, versions), SOURCES)).not.toThrow();
});

test('a build fails if an installed package has another version than in the lock file', () => {
  const root = projectWith({ [STRIPE]: '2.0.0', [OWN]: '1.0.0' }, { [STRIPE]: '1.9.0', [OWN]: '1.0.0' });
  expect(check(root, SOURCES)).toThrow(
    'node_modules does not have the packages of package-lock.json. Run npm ci. There is stripe 2.0.0 instead of 1.9.0.',
  );
});

test('a build fails if a bundled package is not in the lock file', () => {
  const root = projectWith({ [STRIPE]: '2.0.0', [OWN]: '1.0.0' }, { [STRIPE]: '2.0.0' });
  expect(check(root, SOURCES)).toThrow('There is @scope/own 1.0.0 instead of none.');
});

test('packages outside of the project, and a project without a lock file of npm, are not checked', () => {
  const versions = { [STRIPE]: '2.0.0', [OWN]: '1.0.0' };
  const linked = projectWith({ 'node_modules/linked': '3.0.0' });
  const root = projectWith(versions, versions);
  expect(check(root, [...SOURCES, join(linked, 'node_modules/linked/index.js')])).not.toThrow();
  expect(check(projectWith(versions), SOURCES)).not.toThrow();
});

test('the installed packages of this project are those of its lock file', () => {
  const files = ['../node_modules/stripe/esm/stripe.esm.node.js', '../node_modules/zod/index.js'];
  expect(() => {
    assertLocked(FUNCTIONS, files);
  }).not.toThrow();
});
