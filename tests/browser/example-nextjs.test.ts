import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launchChromium } from '@hearth/testing/chromium';
import { execa } from 'execa';
import getPort from 'get-port';
import type { BrowserContext } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { BACKSTOP_MS } from '../../scripts/backstop.ts';
import { ROOT } from '../../scripts/paths.ts';
import { serveApp } from '../support/app.ts';
import { signUp } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { createTeam } from '../support/teams.ts';
import { fillIn, heading, press, shows } from './support/steps.ts';

const NEXT = join(ROOT, 'node_modules/next/dist/bin/next');

/** Checks the types of the example, builds it as for production, and serves it. */
async function serveNext(port: number, env: Readonly<Record<string, string>>): Promise<AsyncDisposable> {
  const options = {
    cwd: join(ROOT, 'examples/nextjs'),
    env: { ...env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  };
  await execa(process.execPath, [NEXT, 'build', '--webpack'], options);
  const server = execa(process.execPath, [NEXT, 'start', '--port', String(port)], {
    ...options,
    reject: false,
  });
  await new Promise<void>((resolve, reject) => {
    createInterface(server.stdout).on('line', (line) => {
      if (line.includes('Ready')) resolve();
    });
    void server.then(({ stderr }) => {
      reject(new Error(`Next.js has ended: ${stderr}`));
    });
  });
  return {
    [Symbol.asyncDispose]: async () => {
      server.kill();
      await server;
    },
  };
}

let origin: string;
let teamsUrl: string;
let newContext: () => Promise<BrowserContext>;

const resources = useResources();
beforeAll(async () => {
  const port = await getPort();
  origin = `http://localhost:${port}`;
  const app = resources.use(await serveApp({ config: { ownOrigins: [origin] } }));
  teamsUrl = app.url;
  const { projectId, urls } = inject('stack');
  resources.use(
    await serveNext(port, {
      HEARTH_URL: app.url,
      FIREBASE_CONFIG: JSON.stringify({ apiKey: 'demo', projectId }),
      AUTH_EMULATOR: urls.auth,
    }),
  );
  const browser = resources.use(await launchChromium());
  newContext = async () => {
    const context = await browser.newContext({ locale: 'en-US' });
    context.setDefaultTimeout(BACKSTOP_MS);
    return context;
  };
});

test('a Next.js page reads the session cookie on the server, from signing in to signing out', async () => {
  const person = await signUp({ displayName: 'Ann Ember' });
  await createTeam(teamsUrl, person, 'Birches');
  const context = await newContext();
  const page = await context.newPage();
  await page.goto(origin);
  await heading(page, 'Sign in');
  await fillIn(page, { 'E-mail': person.email, Password: 'not the password' });
  await press(page, 'Sign in');
  await shows(page, 'Please check what you entered, and try again.');
  await fillIn(page, { Password: person.password });
  await press(page, 'Sign in');
  await heading(page, 'Hello, Ann Ember');

  const cookies = await context.cookies();
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const onServer = () => call('GET', origin, { headers: { Cookie } });
  const html = await (await onServer()).text();
  expect([html.includes('Birches'), html.includes('free')]).toEqual([true, true]);

  await press(page, 'Sign out');
  await heading(page, 'Sign in');
  const later = await onServer();
  expect([later.status, later.headers.get('Location')]).toEqual([307, '/sign-in']);
});
