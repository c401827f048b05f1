/**
 * Sets up a Firebase project and a Stripe account, or checks them:
 *
 *   npm run setup -- --project <project id> [--region <region>] [--dry-run] [--yes]
 *   npm run doctor -- --project <project id>
 *
 * Both may be repeated. Asks for what is missing; with --yes, and without a terminal, it does not ask. Every setting and secret
 * can be given as an environment variable of its name. With --dry-run it prints what it would change, and changes nothing.
 *
 * The exit code is 0 if nothing is left to do, 1 if a check or a change failed, and 2 if something is left for a person.
 *
 * Uses the application default credentials: gcloud auth application-default login
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GoogleAuth } from 'google-auth-library';
import { ROOT } from '../paths.ts';
import { askTerminal } from './ask.ts';
import { createGoogle } from './google.ts';
import { exitCodeOf, runSteps, summaryOf } from './run.ts';
import { DOCTOR_STEPS, SETUP_STEPS } from './steps.ts';
import { openTarget } from './target.ts';

const options = {
  project: { type: 'string' },
  region: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
} as const;

const { values, positionals } = parseArgs({ options, allowPositionals: true });
const isDoctor = positionals.includes('doctor');
const { project: projectId, region, 'dry-run': isDryRun, yes } = values;
if (projectId === undefined)
  throw new Error('Usage: --project <project id> [--region <region>] [--dry-run] [--yes]');

const auth = new GoogleAuth({ scopes: ['https://www.googleapis.com/auth/cloud-platform'] });
const google = createGoogle({ projectId, token: async () => (await auth.getAccessToken()) ?? '' });
const isInteractive = process.stdin.isTTY && !yes && !isDoctor && !isDryRun;
const target = await openTarget({
  projectId,
  google,
  region,
  settingsFolder: join(ROOT, 'functions'),
  environment: process.env,
  ask: isInteractive ? askTerminal : undefined,
});
const checked = isDoctor ? DOCTOR_STEPS : SETUP_STEPS;
const mode = isDoctor ? 'check' : isDryRun ? 'plan' : 'apply';
const outcome = await runSteps(checked, target, { mode, print: console.log });
console.log(`\n${summaryOf(outcome, mode)}`);
process.exitCode = exitCodeOf(outcome);
