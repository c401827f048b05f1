/**
 * Sets up a Firebase project and a Stripe account, or checks them:
 *
 *     npm run setup -- --project <project id or alias> [--region <region>] [--dry-run] [--yes] [--replace-live-key]
 *     npm run doctor -- --project <project id or alias> [--after-deploy]
 *
 * Both may be repeated. Asks for what is missing; with --yes, and without a terminal, it does not ask. Every setting
 * and secret can be given as an environment variable of its name. With --dry-run it prints what it would change, and
 * changes nothing. --settings names another folder than functions/ for the file .env.<project id>. --after-deploy waits
 * for indexes that are being built, and accepts schedules that are too new to have run.
 *
 * The exit code is 0 if nothing is left to do, 1 if a check or a change failed, and 2 if something is left for a
 * person.
 *
 * Uses the application default credentials: gcloud auth application-default login
 */
import { join, resolve } from 'node:path';
import { exitWithHelp, helpOf, readCommandLine, type CommandLine } from '../command-line.ts';
import { googleTokens } from '../google-token.ts';
import { ROOT } from '../paths.ts';
import { resolveProject } from '../project.ts';
import { askTerminal } from './ask.ts';
import { createGoogle } from './google.ts';
import { exitCodeOf, runSteps, summaryOf } from './run.ts';
import { DOCTOR_STEPS, SETUP_STEPS } from './steps.ts';
import { openTarget } from './target.ts';

const COMMAND_LINE = {
  usage: [
    'npm run setup -- --project <project id> [--region <region>] [--settings <folder>] [--dry-run] [--yes] [--replace-live-key]',
    'npm run doctor -- --project <project id> [--region <region>] [--settings <folder>] [--after-deploy]',
  ],
  options: {
    project: { type: 'string', value: '<project id>', help: 'the project, or an alias of .firebaserc' },
    region: { type: 'string', value: '<region>', help: 'where functions, Firestore and the bucket are' },
    settings: { type: 'string', value: '<folder>', help: 'has .env.<project id>; by default functions' },
    'dry-run': { type: 'boolean', default: false, help: 'prints the changes and makes none (setup)' },
    yes: { type: 'boolean', default: false, help: 'asks nothing (setup)' },
    'replace-live-key': {
      type: 'boolean',
      default: false,
      help: 'lets a test key of Stripe replace a live key (setup)',
    },
    'after-deploy': {
      type: 'boolean',
      default: false,
      help: 'waits for what a deployment is still making (doctor)',
    },
  },
  examples: [
    'npm run setup -- --project staging --region europe-west1 --dry-run',
    'npm run doctor -- --project production',
  ],
  takesArguments: true,
} as const satisfies CommandLine;

/** @throws Error with the usage */
function readArguments() {
  try {
    const { values, positionals } = readCommandLine(COMMAND_LINE);
    const { project, 'after-deploy': isAfterDeploy, ...others } = values;
    const [command = 'setup', ...rest] = positionals;
    if (project === undefined) throw new Error('--project is missing.');
    if (rest.length > 0 || (command !== 'setup' && command !== 'doctor'))
      throw new Error(`Unknown: ${positionals.join(' ')}`);
    if (others['replace-live-key'] && command === 'doctor')
      throw new Error('--replace-live-key is an option of setup.');
    if (isAfterDeploy && command !== 'doctor') throw new Error('--after-deploy is an option of doctor.');
    return { ...others, projectId: resolveProject(project), isAfterDeploy, isDoctor: command === 'doctor' };
  } catch (error) {
    throw new Error(`${messageOf(error)}\n\n${helpOf(COMMAND_LINE)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<void> {
  const { projectId, isDoctor, isAfterDeploy, region, settings, yes, ...flags } = readArguments();
  const isDryRun = flags['dry-run'];
  const token = googleTokens();
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
    replacesLiveKey: flags['replace-live-key'],
    purpose: isDoctor ? (isAfterDeploy ? 'after deploy' : 'doctor') : 'setup',
  });
  const checked = isDoctor ? DOCTOR_STEPS : SETUP_STEPS;
  const mode = isDoctor ? 'check' : isDryRun ? 'plan' : 'apply';
  const outcome = await runSteps(checked, target, { mode, print: console.log });
  console.log(`\n${summaryOf(outcome, mode)}`);
  process.exitCode = exitCodeOf(outcome);
}

exitWithHelp(COMMAND_LINE);
try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
