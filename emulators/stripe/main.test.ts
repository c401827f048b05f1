import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Stripe from 'stripe';
import { expect, onTestFinished, test } from 'vitest';
import { PLANS } from './testing.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const PLANS_FILE = join(mkdtempSync(join(tmpdir(), 'stripe-plans-')), 'plans.json');
writeFileSync(PLANS_FILE, JSON.stringify(PLANS));
const SECRETS = { STRIPE_SECRET_KEY: 'sk_test_main', STRIPE_WEBHOOK_SECRET: 'whsec_main' };

function run(args: string[], env: Record<string, string> = SECRETS) {
  const child = spawn(process.execPath, [MAIN, '--plans', PLANS_FILE, ...args], { env });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return { child, exit, errors: () => errors.trim() };
}

test.each(['SIGTERM', 'SIGINT'] as const)('it serves the configured plans until %s', async (signal) => {
  const { child, exit } = run(['--port', '0']);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line.toString())?.[1] ?? '';
  const stripe = new Stripe(SECRETS.STRIPE_SECRET_KEY, { host: '127.0.0.1', port, protocol: 'http' });
  const { data } = await stripe.prices.list({
    lookup_keys: ['pro_monthly'],
    expand: ['data.product'],
  });
  expect(data).toMatchObject([{ product: { metadata: { slug: 'pro' } } }]);
  child.kill(signal);
  expect(await exit).toEqual([0, null]);
});

test.each([
  ['an API key', { STRIPE_WEBHOOK_SECRET: 'x' }, 'STRIPE_SECRET_KEY'],
  ['a webhook secret', { STRIPE_SECRET_KEY: 'x' }, 'STRIPE_WEBHOOK_SECRET'],
  [
    'a webhook secret that is not empty',
    { STRIPE_SECRET_KEY: 'x', STRIPE_WEBHOOK_SECRET: '' },
    'STRIPE_WEBHOOK_SECRET',
  ],
])('it does not start without %s', async (_case, env, name) => {
  const { exit, errors } = run(['--port', '0'], env);
  expect(await exit).toEqual([1, null]);
  expect(errors()).toBe(`stripe: ${name} is not set: the local Stripe does not start without it.`);
});

test('a port in use is one line that names the port', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    taken.close();
  });
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { exit, errors } = run(['--port', String(port)]);
  expect(await exit).toEqual([1, null]);
  expect(errors()).toBe(`stripe: Port ${port} on 127.0.0.1 is in use.`);
});

test.each([
  [['--port', 'x'], 'is not a port'],
  [['--webhook-url', 'localhost'], 'is not an http(s) URL'],
  [['--color', 'red'], 'usage:'],
  [['--plans', 'nowhere.json'], 'Cannot read plans from nowhere.json'],
  [['--plans', MAIN], 'Cannot read plans'],
])('the arguments %j are refused', async (args, message) => {
  const { exit, errors } = run(['--port', '0', ...args]);
  expect(await exit).toEqual([1, null]);
  expect(errors()).toContain(message);
});
