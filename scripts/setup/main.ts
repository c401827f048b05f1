/**
 * Sets up a Firebase project and a Stripe account, or checks them:
 *
 *   npm run setup -- --project <project id> [--region <region>] [--dry-run] [--yes]
 *   npm run doctor -- --project <project id> [--after-deploy]
 *
 * Both may be repeated. Asks for what is missing; with --yes, and without a terminal, it does not ask. Every setting and secret
 * can be given as an environment variable of its name. With --dry-run it prints what it would change, and changes nothing.
 * --settings names another folder than functions/ for the file .env.<project id>. --after-deploy waits for indexes that are being
 * built, and accepts schedules that are too new to have run.
 *
 * The exit code is 0 if nothing is left to do, 1 if a check or a change failed, and 2 if something is left for a person.
 *
 * Uses the application default credentials: gcloud auth application-default login
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { GoogleAuth } from 'google-auth-library';
import { ROOT } from '../paths.ts';
import { askTerminal } from './ask.ts';
import { createGoogle } from './google.ts';
import { exitCodeOf, runSteps, summaryOf } from './run.ts';
import { DOCTOR_STEPS, SETUP_STEPS } from './steps.ts';
import { openTarget } from './target.ts';

const USAGE = [
  'npm run setup -- --project <project id> [--region <region>] [--settings <folder>] [--dry-run] [--yes]',
  'npm run doctor -- --project <project id> [--region <region>] [--settings <folder>] [--after-deploy]',
].join('\n');

const options = {
  project: { type: 'string' },
  region: { type: 'string' },
  settings: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'after-deploy': { type: 'boolean', default: false },
} as const;

/** @throws Error with the usage */
function readArguments() {
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const { project: projectId, 'after-deploy': isAfterDeploy, ...others } = values;
    const [command = 'setup', ...rest] = positionals;
    if (projectId === undefined) throw new Error('--project is missing.');
    if (rest.length > 0 || (command !== 'setup' && command !== 'doctor'))
      throw new Error(`Unknown: ${positionals.join(' ')}`);
    if (isAfterDeploy && command !== 'doctor') throw new Error('--after-deploy is an option of doctor.');
    return { ...others, projectId, isAfterDeploy, isDoctor: command === 'doctor' };
  } catch (error) {
    throw new Error(`${messageOf(error)}\n\nUsage:\n${USAGE}`, { cause: error });
  }
}

/** A token of the application default credentials. */
function tokens(): () => Promise<string> {
  const auth = new GoogleAuth({ scopes: ['https://www.googleapis.com/auth/cloud-platform'] });
  return async () => {
    try {
      return (await auth.getAccessToken()) ?? '';
    } catch (error) {
      const advice = 'Sign in by: gcloud auth application-default login';
      throw new Error(`Google gives no access token. ${messageOf(error)}\n${advice}`, { cause: error });
    }
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<void> {
  const { projectId, isDoctor, isAfterDeploy, region, settings, 'dry-run': isDryRun, yes } = readArguments();
  const token = tokens();
  // Without credentials every step would fail, so that is said once.
  await token();
  const isInteractive = process.stdin.isTTY && !yes && !isDoctor && !isDryRun;
  const target = await openTarget({
    projectId,
    google: createGoogle({ projectId, token }),
    region,
    settingsFolder: settings === undefined ? join(ROOT, 'functions') : resolve(settings),
    environment: process.env,
    ask: isInteractive ? askTerminal : undefined,
    purpose: isDoctor ? (isAfterDeploy ? 'after deploy' : 'doctor') : 'setup',
  });
  const checked = isDoctor ? DOCTOR_STEPS : SETUP_STEPS;
  const mode = isDoctor ? 'check' : isDryRun ? 'plan' : 'apply';
  const outcome = await runSteps(checked, target, { mode, print: console.log });
  console.log(`\n${summaryOf(outcome, mode)}`);
  process.exitCode = exitCodeOf(outcome);
}

try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
