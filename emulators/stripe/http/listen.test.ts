import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';

test('an idle HTTP/1.1 connection stays open for minutes', async () => {
  const listener = await listen('127.0.0.1', 0);
  onTestFinished(() => listener.close());
  listener.serve(() => new Response());

  const response = await fetch(`http://127.0.0.1:${listener.port}/`);

  expect(Number(/timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(120);
});

test('closing answers the request in progress, and does not wait until its connection has been idle', async () => {
  const listener = await listen('127.0.0.1', 0);
  const received = Promise.withResolvers<undefined>();
  const answered = Promise.withResolvers<Response>();
  listener.serve(() => {
    received.resolve(undefined);
    return answered.promise;
  });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
  });
  const sent = request({ port: listener.port, agent }).end();
  await received.promise;

  const closed = listener.close();
  answered.resolve(new Response('answer'));

  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(await text(response)).toBe('answer');
  await closed;
});
