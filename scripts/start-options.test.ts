import { expect, test } from 'vitest';
import { readStartOptions } from './start-options.ts';

const DEFAULTS = {
  projectId: 'demo-hearth',
  ports: 'default',
  official: false,
  build: 'watch',
  extraArgs: [],
};

test.each([
  ['', {}],
  ['--official', { official: true }],
  ['--no-build', { build: 'skip' }],
  ['--free-ports --project demo-x', { ports: 'free', projectId: 'demo-x' }],
  ['--project=demo-x', { projectId: 'demo-x' }],
  [
    '--import data --official --export-on-exit',
    { official: true, extraArgs: ['--import', 'data', '--export-on-exit'] },
  ],
])('npm start -- %s', (line, expected) => {
  expect(readStartOptions(line.split(' ').filter((arg) => arg !== ''))).toEqual({ ...DEFAULTS, ...expected });
});
