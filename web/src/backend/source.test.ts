import { expect, onTestFinished, test, vi } from 'vitest';
import { Source, type Live } from './source.ts';

/** A source with the values that its listeners received, in the order in which they were started. */
function sourceOf(keptMs = 0) {
  const started: { next: (value: number) => void; fail: (error: unknown) => void; isOver: boolean }[] = [];
  const source = new Source<number>((next, fail) => {
    const listener = { next, fail, isOver: false };
    started.push(listener);
    return () => {
      listener.isOver = true;
    };
  }, keptMs);
  return { source, started, shown: () => describe(source.live.value) };
}

const describe = (live: Live<number>) => (live.state === 'ready' ? live.value : live.state);

test('components share one listener, which ends with the last of them', () => {
  const { source, started, shown } = sourceOf();
  const ends = [source.use(), source.use()];
  started[0]?.next(1);
  expect([started.length, shown()]).toEqual([1, 1]);
  ends[0]?.();
  expect([started[0]?.isOver, shown()]).toEqual([false, 1]);
  ends[1]?.();
  expect([started[0]?.isOver, shown()]).toEqual([true, 'loading']);
});

test('a value that comes after the end is not shown', () => {
  const { source, started, shown } = sourceOf();
  source.use()();
  source.use();
  started[0]?.next(1);
  expect(shown()).toBe('loading');
  started[1]?.next(2);
  expect(shown()).toBe(2);
});

test('the next page finds the data of a listener that is kept', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { source, started, shown } = sourceOf(1000);
  source.use()();
  started[0]?.next(1);
  vi.advanceTimersByTime(999);
  const end = source.use();
  vi.advanceTimersByTime(5000);
  expect([started.length, shown()]).toEqual([1, 1]);
  end();
  vi.advanceTimersByTime(1000);
  expect(started[0]?.isOver).toBe(true);
});

test('a listener that failed listens again on request, and for the next component', () => {
  const { source, started, shown } = sourceOf(1000);
  const end = source.use();
  started[0]?.fail('refused');
  const failed = source.live.value;
  expect(failed).toMatchObject({ state: 'failed', error: { message: 'refused' } });
  if (failed.state === 'failed') failed.retry();
  expect([started.length, shown()]).toEqual([2, 'loading']);
  started[1]?.fail(new Error('again'));
  end();
  source.use();
  expect([started.length, shown()]).toEqual([3, 'loading']);
});

test('a refresh shows the old value until the new one is there, and if it fails', () => {
  const { source, started, shown } = sourceOf();
  source.refresh();
  expect(started).toEqual([]);
  source.use();
  started[0]?.next(1);
  source.refresh();
  started[0]?.next(7);
  started[1]?.fail(new Error('no network'));
  expect([started.length, shown()]).toEqual([2, 1]);
  source.refresh();
  started[2]?.next(2);
  started[2]?.fail(new Error('ended'));
  expect(shown()).toBe('failed');
});
