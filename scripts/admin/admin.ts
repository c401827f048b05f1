/**
 * The service for operators:
 *
 *   npm run --silent admin -- users show ada@example.com --project <project id> [--json]
 *
 * `--help` prints all commands and options. Every change is recorded in the audit log as done by `cli:` and the name of
 * --operator, by default the user of this computer. docs/operators.md describes the commands.
 *
 * Uses the settings of functions/.env and functions/.env.<project id>, and the application default credentials, or the
 * emulators that environment variables name. Commands that call Stripe need STRIPE_SECRET_KEY.
 */
import { userInfo } from 'node:os';
import { exitWithHelp, helpOf } from '../command-line.ts';
import { openDeployment } from '../deployment.ts';
import { resolveProject } from '../project.ts';
import { COMMAND_LINE, NO_STRIPE_KEY, parse, runCommand, textOf } from './run.ts';

/** Settings that no command needs, and the key of Stripe, which only some do. */
const UNUSED = {
  STRIPE_WEBHOOK_SECRET: 'unused',
  STRIPE_SECRET_KEY: NO_STRIPE_KEY,
  MAIL_SMTP_URL: 'extension',
};

exitWithHelp(COMMAND_LINE);
try {
  const typed = parse(process.argv.slice(2));
  const { project, operator = userInfo().username, bucket } = typed.options;
  if (project === undefined) throw new Error(helpOf(COMMAND_LINE));
  const { backend, firestore } = await openDeployment(resolveProject(project), UNUSED, bucket);
  const result = await runCommand(backend, { id: `cli:${operator}` }, typed);
  console.log(textOf(result, typed));
  await firestore.terminate();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
