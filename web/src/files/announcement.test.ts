import { expect, it } from 'vitest';
import { announcementOf } from './announcement.ts';

const running = { name: 'a.png', status: 'running', problem: undefined } as const;
const failed = { name: 'b.png', status: 'failed', problem: 'The file is too large.' } as const;

it.each([
  ['nothing', [], ''],
  ['one file', [running], 'One file is being sent.'],
  ['several files', [running, running], '2 files are being sent.'],
  ['a failed file', [failed], 'b.png failed: The file is too large.'],
  ['both', [running, failed], 'One file is being sent. b.png failed: The file is too large.'],
])('announces %s', (_case, sending, expected) => {
  expect(announcementOf(sending)).toBe(expected);
});
