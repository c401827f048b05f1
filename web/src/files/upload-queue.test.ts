import { HearthError } from '@hearth/client';
import type { DirectUpload } from '@hearth/client/storage';
import { effect } from '@preact/signals';
import { expect, it, onTestFinished, vi } from 'vitest';
import { announcementOf, CHECK_MS, UploadQueue, type SendingOptions } from './upload-queue.ts';

interface Sent {
  name: string;
  options: SendingOptions;
  arrive: () => void;
  fail: (error: unknown) => void;
}

const OWNER = { id: 'ann', name: 'Yourself', team: undefined, role: undefined };
const TEAM = { id: 'embers', name: 'Embers', team: 'embers', role: 'member' as const };

/** A queue with files, and the uploads that it has begun. */
function queueOf(count: number) {
  const begun: Sent[] = [];
  const queue = new UploadQueue((file, options) => {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const arrive = () => {
      resolve(undefined);
    };
    begun.push({ name: file.name, options, arrive, fail: reject });
    return promise;
  });
  for (let number = 1; number <= count; number++) queue.add(new File(['x'], `${number}.txt`), OWNER);
  const statuses = () => queue.sending.map(({ name, status }) => `${name} ${status}`);
  return { queue, begun, statuses };
}

/** Resolves after all pending promise callbacks have run. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

it('sends three files at a time, the next one when one has arrived', async () => {
  const { begun, statuses } = queueOf(5);
  expect(statuses()).toEqual([
    '1.txt running',
    '2.txt running',
    '3.txt running',
    '4.txt waiting',
    '5.txt waiting',
  ]);
  begun[1]?.arrive();
  await settled();
  expect(statuses()).toEqual(['1.txt running', '3.txt running', '4.txt running', '5.txt waiting']);
  expect(begun.map(({ name }) => name)).toEqual(['1.txt', '2.txt', '3.txt', '4.txt']);
});

it('gives up a file that is not checked, and sends the next one', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { queue, begun, statuses } = queueOf(4);
  for (const { options, fail } of begun) {
    options.onState('sent');
    options.signal?.addEventListener('abort', () => {
      fail(options.signal?.reason);
    });
  }
  expect(statuses()).toEqual(['1.txt checking', '2.txt checking', '3.txt checking', '4.txt waiting']);
  begun[0]?.arrive();
  await vi.advanceTimersByTimeAsync(CHECK_MS);
  expect(statuses()).toEqual(['2.txt failed', '3.txt failed', '4.txt running']);
  expect(queue.sending[0]?.problem).toContain('takes too long');
});

it('continues after a failed upload, which is shown with its reason until it is dismissed', async () => {
  const { queue, begun, statuses } = queueOf(4);
  begun[0]?.fail(new HearthError('Too large.', { status: 413, code: 'payload_too_large' }));
  await settled();
  expect(statuses()).toEqual(['1.txt failed', '2.txt running', '3.txt running', '4.txt running']);
  expect(queue.sending[0]?.problem).toBe('Too large.');
  queue.dismiss(1);
  expect(statuses()).toEqual(['2.txt running', '3.txt running', '4.txt running']);
});

it('ends a dismissed upload, and never begins it if it was waiting', () => {
  const { queue, begun } = queueOf(5);
  queue.dismiss(4);
  queue.dismiss(1);
  expect(begun.map(({ name, options }) => [name, options.signal?.aborted])).toEqual([
    ['1.txt', true],
    ['2.txt', false],
    ['3.txt', false],
    ['5.txt', false],
  ]);
});

it('continues the other uploads while one is paused, and shows which ones can be paused', () => {
  const { queue, begun, statuses } = queueOf(4);
  const upload = { state: 'running', pause: () => undefined } as unknown as DirectUpload;
  begun[0]?.options.onStart(upload);
  expect(queue.sending.map(({ canPause }) => canPause)).toEqual([true, false, false, false]);
  begun[0]?.options.onState('paused');
  expect(statuses()).toEqual(['1.txt paused', '2.txt running', '3.txt running', '4.txt running']);
  begun[0]?.options.onState('running');
  begun[0]?.options.onState('sent');
  expect(statuses()[0]).toBe('1.txt checking');
});

it('shows each change, and hands each file to its owner', () => {
  const { queue, begun } = queueOf(1);
  const lengths: number[] = [];
  const stop = effect(() => {
    lengths.push(queue.sending.length);
  });
  queue.add(new File(['x'], 'team.txt'), TEAM);
  expect([lengths, begun.map(({ options }) => options.team)]).toEqual([
    [1, 2],
    [undefined, 'embers'],
  ]);
  begun[1]?.options.onProgress?.(1, 4);
  expect([lengths, queue.sending[1]?.sent]).toEqual([[1, 2, 2], 0.25]);
  stop();
  queue.dismiss(2);
  expect(lengths).toHaveLength(3);
});

it('is busy until nothing is on its way', async () => {
  const { queue, begun } = queueOf(1);
  expect(queue.isBusy).toBe(true);
  begun[0]?.fail(new Error('gone'));
  await settled();
  expect(queue.isBusy).toBe(false);
});
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
