import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { TEST_SETTINGS } from '../../functions/src/testing/settings.ts';

const EXPORTS =
  `api cleanUpUser createCheckoutSession deliverDueMail deliverMail deliverPlanChange deliverPush finalizeUploads makeProfile reconcileBilling reconcileSubscriptions sendUsage sweepAccounts
  sweepInvitations sweepTeams sweepUploads syncContacts syncSeats`.replaceAll(/\s+/g, ' ');

/** Expressions over the `exports` of a loaded entry point, whose value is printed. */
const EXPORTED = "Object.keys(exports).sort().join(' ')";
const FIRESTORE_LOADED = `Object.keys((await import('node:module')).createRequire(import.meta.url).cache)
  .some((file) => file.includes('/@google-cloud/firestore/'))`;

const MAKES_DOMAINS = "(await import('node:domain')).default.create().members !== undefined";

const HEALTH = `await (async () => {
  const server = (await import('node:http')).createServer((request, response) => exports.api(request, response));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { status } = await fetch('http://127.0.0.1:' + server.address().port + '/api/health');
  server.closeAllConnections();
  server.close();
  return status;
})()`;

/** The output of the process, or its errors if it failed. */
async function load(
  environment: Record<string, string>,
  print = EXPORTED,
): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await start(environment, print);
  return { code, output: code === 0 ? stdout.trim() : stderr };
}

/** Loads the deployed entry point in a process of its own, as Cloud Functions does. */
async function start(
  environment: Record<string, string>,
  print: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = `const exports = await import(${JSON.stringify(new URL('../../functions/src/index.ts', import.meta.url).href)});
    console.log(${print});`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    GCLOUD_PROJECT: 'demo-hearth',
    FIREBASE_CONFIG: '{"storageBucket":"demo-hearth.firebasestorage.app"}',
    ...environment,
  };
  try {
    const options = { env };
    const output = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      options,
    );
    return { code: 0, ...output };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

test('starts with its settings and exports the function, the triggers and the schedules', async () => {
  expect(await load(TEST_SETTINGS)).toEqual({ code: 0, output: EXPORTS });
});

test.each([
  ['api', 'false'],
  ['makeProfile', 'true'],
])('the framework makes domains for %s: %s', async (FUNCTION_TARGET, output) => {
  expect(await load({ ...TEST_SETTINGS, FUNCTION_TARGET }, MAKES_DOMAINS)).toEqual({ code: 0, output });
});

test.each(['makeProfile', 'cleanUpUser'])('%s ignores a user of a tenant', async (name) => {
  const ignored = `await exports.${name}.run({ data: { uid: 'ada', tenantId: 'customer-abc' } })`;
  expect(await load(TEST_SETTINGS, ignored)).toEqual({ code: 0, output: 'undefined' });
});

test.each([
  ['api', '200'],
  ['deliverDueMail', '404'],
])(
  'a process of %s answers the health of the API with %s, because only api builds it',
  async (target, output) => {
    const settings = { ...TEST_SETTINGS, FUNCTION_TARGET: target };
    expect((await load(settings, HEALTH)).output.split('\n').at(-1)).toBe(output);
  },
);

test('is discovered by the CLI before any setting has a value', async () => {
  expect(await load({ FUNCTIONS_CONTROL_API: 'true' })).toEqual({ code: 0, output: EXPORTS });
});

test.each(['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY', 'APP_URL', 'MAIL_SMTP_URL'] as const)(
  'does not start if %s is missing or empty, and the message names it without any secret',
  async (name) => {
    const missing = Object.fromEntries(Object.entries(TEST_SETTINGS).filter(([key]) => key !== name));
    for (const settings of [missing, { ...missing, [name]: '' }, { ...missing, [name]: ' ' }]) {
      const { code, output } = await load(settings);
      expect(code).toBe(1);
      expect(output).toContain(`The backend cannot start because its configuration is invalid:\n  ${name}: `);
      expect(output).not.toMatch(/sk_test_secret|whsec_secret|smtp_secret/);
    }
  },
);

test('only the functions that Firestore triggers load the Firestore client at the start', async () => {
  const loaded = async (target: string) => {
    const { output } = await load({ ...TEST_SETTINGS, FUNCTION_TARGET: target }, FIRESTORE_LOADED);
    return output;
  };
  expect(await loaded('api')).toBe('false');
  expect(await loaded('deliverMail')).toBe('true');
  expect(await loaded('createCheckoutSession')).toBe('true');
});

/** Makes the first use of Firestore fail with a cause, and calls a function. */
const failing = (call: string) => `await (async () => {
  const require = (await import('node:module')).createRequire(${JSON.stringify(import.meta.url)});
  const { Firestore } = require('firebase-admin/firestore');
  Firestore.prototype.collection = () => {
    throw new TypeError('It is broken.', { cause: new RangeError('This is why.') });
  };
  const response = { on: () => response, status: () => response, send: () => response };
  await (async () => ${call})().catch(() => undefined);
})()`;

test.each([
  ['schedule', 'exports.sweepTeams({ headers: {}, header: () => undefined }, response)'],
  [
    'event',
    "exports.deliverMail({ specversion: '1.0', id: '1', type: 'x', source: '//s', document: 'mail/m' })",
  ],
])('the line of a failed %s has the stack of the error and its cause', async (_trigger, call) => {
  const { code, stderr } = await start(TEST_SETTINGS, failing(call));
  expect(code, stderr).toBe(0);
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  const entries = lines.map((line) => JSON.parse(line) as object);
  expect(entries).toContainEqual(
    expect.objectContaining({
      severity: 'ERROR',
      message: expect.stringMatching(/^TypeError: It is broken\.\n +at /) as string,
      cause: expect.stringMatching(/^RangeError: This is why\.\n +at /) as string,
    }),
  );
});
