import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readStartOptions } from './start-options.ts';

const DEFAULTS = {
  projectId: 'demo-hearth',
  ports: 'default',
  official: false,
  build: 'watch',
  indexCheck: true,
  seed: true,
  latency: false,
  extraArgs: [],
};

test.each([
  ['', {}],
  ['--official', { official: true }],
  [
    '--export-on-exit=data --only auth',
    { extraArgs: ['--export-on-exit', resolve('data'), '--only', 'auth'] },
  ],
  [
    '--export-on-exit --only auth --project demo-x firestore',
    { projectId: 'demo-x', extraArgs: ['--export-on-exit', '--only', 'auth', 'firestore'] },
  ],
  ['--no-build', { build: 'skip' }],
  ['--no-index-check', { indexCheck: false }],
  ['--no-seed', { seed: false }],
  ['--import data', { seed: false, extraArgs: ['--import', resolve('data')] }],
  ['--import=data --seed', { extraArgs: ['--import', resolve('data')] }],
  ['--latency production', { latency: true }],
  ['--latency=production', { latency: true }],
  ['--free-ports --project demo-x', { ports: 'free', projectId: 'demo-x' }],
  ['--project=demo-x', { projectId: 'demo-x' }],
  [
    '--import data --official --export-on-exit',
    { official: true, seed: false, extraArgs: ['--import', resolve('data'), '--export-on-exit'] },
  ],
])('npm start -- %s', (line, expected) => {
  expect(readStartOptions(line.split(' ').filter((arg) => arg !== ''))).toEqual({ ...DEFAULTS, ...expected });
});

test.each(['--latency', '--latency=lan'])('npm start -- %s is refused', (option) => {
  expect(() => readStartOptions([option])).toThrow('--latency production');
});
