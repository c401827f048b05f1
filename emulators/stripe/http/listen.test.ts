import { expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';

test('an idle HTTP/1.1 connection stays open for minutes', async () => {
  const listener = await listen('127.0.0.1', 0);
  onTestFinished(() => listener.close());
  listener.serve(() => new Response());

  const response = await fetch(`http://127.0.0.1:${listener.port}/`);

  expect(Number(/timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(120);
});
