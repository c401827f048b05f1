import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStripe } from '@hearth/stripe-emulator';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../paths.ts';
import { FREE_APIS, PAID_APIS } from './steps/project.ts';
import { startFakeGoogle, type FakeGoogle } from './testing/fake-google.ts';
import { isChange, KEY } from './testing/world.ts';

interface Machine {
  fake: FakeGoogle;
  /** Where the command keeps its settings. */
  folder: string;
  /** Runs the command as npm does, without a terminal. */
  run: (
    line: string,
    environment?: Record<string, string>,
  ) => Promise<{ exitCode: number | undefined; stdout: string; stderr: string }>;
}

/** Answers each request for a token as Google's token service does. */
async function startTokens(token: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ access_token: token, expires_in: 3600, token_type: 'Bearer' }));
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A machine with somebody's credentials, and Google and Stripe at its network's edge. */
async function newMachine(token = 'operator'): Promise<Machine> {
  const [fake, stripe, tokenUrl] = await Promise.all([
    startFakeGoogle(),
    startStripe({ plans: [], apiKey: KEY }),
    startTokens(token),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'hearth-setup-'));
  onTestFinished(async () => {
    await fake[Symbol.asyncDispose]();
    await stripe.close();
    rmSync(folder, { recursive: true });
  });
  const credentials = join(folder, 'credentials.json');
  const account = { client_id: 'a', client_secret: 'b', refresh_token: 'c', token_url: tokenUrl };
  writeFileSync(credentials, JSON.stringify({ type: 'external_account_authorized_user', ...account }));
  const environment = {
    PATH: process.env['PATH'],
    // No credentials of the person who runs the tests.
    ...{ HOME: folder, CLOUDSDK_CONFIG: folder, METADATA_SERVER_DETECTION: 'none' },
    GOOGLE_APPLICATION_CREDENTIALS: credentials,
    GOOGLE_EDGE: fake.originOf('').replace(/\/$/, ''),
    APP_URL: 'https://app.example.com',
    MAIL_FROM: 'Acme <no-reply@example.com>',
    MAIL_SMTP_URL: 'extension',
    STRIPE_SECRET_KEY: KEY,
    STRIPE_API_URL: stripe.url,
  };
  const edge = join(import.meta.dirname, 'testing/edge.ts');
  return {
    fake,
    folder,
    run: async (line, changed = {}) => {
      const { exitCode, stdout, stderr } = await execa(
        process.execPath,
        ['--import', edge, join(ROOT, 'scripts/setup/main.ts'), ...line.split(' ').filter(Boolean)],
        { env: { ...environment, ...changed }, extendEnv: false, stdin: 'ignore', reject: false },
      );
      return { exitCode, stdout, stderr };
    },
  };
}

test('a dry run, a set-up and a doctor end with their checklists and exit codes', async () => {
  const { fake, folder, run } = await newMachine();
  fake.project.billingEnabled = true;
  const options = `--project acme-1 --region europe-west1 --settings ${folder}`;

  const plan = await run(`${options} --dry-run`);
  expect(plan.stderr).toBe('');
  expect(plan.stdout).toContain('cannot be checked until firestore.googleapis.com is enabled');
  expect(plan.stdout).toMatch(/\n\d+ changes would be made\.\nNot checked, because an API is not enabled: /);
  expect(plan.exitCode).toBe(0);
  expect(fake.seen.filter(isChange)).toEqual([]);

  const setup = await run(`${options} --yes`);
  expect(setup.stderr).toBe('');
  expect(setup.stdout).toContain('done: keep daily backups for 7 days, for about $0.21');
  expect(setup.stdout).toMatch(/ {2}\[ \] Sign-in with Google is off\. Enable it at https:/);
  expect(setup.stdout).not.toContain(KEY);
  expect(setup.exitCode).toBe(2);
  expect(readFileSync(join(folder, '.env.acme-1'), 'utf8')).toContain('REGION="europe-west1"');
  expect(fake.unknown).toEqual([]);

  const doctor = await run(`doctor --project acme-1 --settings ${folder}`);
  expect(doctor.stderr).toBe('');
  expect(doctor.stdout).toContain('ok   Backups');
  expect(doctor.stdout).toContain('https://app.example.com/api/health answers 403.');
  expect(doctor.stdout).not.toContain('changes');
  expect(doctor.exitCode).toBe(2);
});

test('a step that Google refuses is named, and the exit code is 1', async () => {
  const { folder, run } = await newMachine('stranger');
  const { exitCode, stdout, stderr } = await run(
    `--project acme-1 --region europe-west1 --settings ${folder} --dry-run`,
  );
  expect(stdout).toContain('     Firestore\n       failed: answered 403');
  expect(stdout).toContain('  Firestore: answered 403');
  expect(stderr).toBe('');
  expect(exitCode).toBe(1);
});

test.each([
  ['', '--project is missing.'],
  ['doctor', '--project is missing.'],
  ['--project acme-1 --force', "Unknown option '--force'"],
  ['check --project acme-1', 'Unknown: check'],
  ['--project acme-1 --after-deploy', '--after-deploy is an option of doctor.'],
  ['doctor --project acme-1 --replace-live-key', '--replace-live-key is an option of setup.'],
])('wrong arguments "%s" print the usage on stderr', async (line, message) => {
  const { fake, run } = await newMachine();
  const { exitCode, stdout, stderr } = await run(line);
  expect(stderr).toContain(message);
  expect(stderr).toContain('npm run setup -- --project <project id>');
  // No stack.
  expect(stderr).not.toContain('    at ');
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
  expect(fake.seen).toEqual([]);
});

test.each([
  ['without a region', '', {}, 'Choose the region, such as --region europe-west1. Firestore and the bucket'],
  ['with a wrong region', '--region europe', {}, 'REGION must be a region such as us-central1'],
  [
    'with a wrong URL',
    '--region europe-west1',
    { APP_URL: 'ftp://app.example.com' },
    'APP_URL must be https, or http on localhost.',
  ],
])('%s a set-up ends with one sentence', async (_name, options, environment, message) => {
  const { folder, run } = await newMachine();
  const line = `--project acme-1 --settings ${folder} ${options} --yes`;
  const { exitCode, stdout, stderr } = await run(line, environment);
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
});

test('without credentials the output explains how to sign in, and no request is sent to Google', async () => {
  const { fake, folder, run } = await newMachine();
  const none = { GOOGLE_APPLICATION_CREDENTIALS: '' };
  const { exitCode, stdout, stderr } = await run(`doctor --project acme-1 --settings ${folder}`, none);
  expect(stderr).toContain('Sign in by: gcloud auth application-default login');
  expect(stderr).not.toContain('    at ');
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
  expect(fake.seen).toEqual([]);
});

test('a test key of the environment does not replace a live key, unless an option says so', async () => {
  const { fake, folder, run } = await newMachine();
  for (const name of [...FREE_APIS, ...PAID_APIS]) fake.project.services.add(name);
  fake.project.secrets.set('STRIPE_SECRET_KEY', ['sk_live_1']);
  fake.project.secrets.set('STRIPE_WEBHOOK_SECRET', ['whsec_1']);
  const options = `--project acme-1 --region europe-west1 --settings ${folder}`;
  for (const line of [`${options} --yes`, `doctor ${options}`]) {
    const { exitCode, stdout, stderr } = await run(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(
      'Unset the variable. To replace the live key nevertheless, run setup with --rep',
    );
    expect(stderr).not.toContain(KEY);
  }
  expect(fake.seen.filter(isChange)).toEqual([]);

  const { stdout } = await run(`${options} --yes --replace-live-key --dry-run`);
  expect(stdout).toContain('would: store the secret STRIPE_SECRET_KEY.');
});
