import { inspect } from 'node:util';
import type { Operator } from '../../functions/src/admin/operator.service.ts';
import type { Backend } from '../../functions/src/backend.ts';
import { helpOf, readCommandLine, type CommandLine } from '../command-line.ts';
import type { Call, Command } from './command.ts';
import { COMMANDS } from './commands/commands.ts';
import { rehearse } from './rehearsal.ts';

export const COMMAND_LINE = {
  usage: ['npm run admin -- <command> --project <project id> [options]'],
  more: [
    'Commands:',
    ...Object.entries(COMMANDS).map(([name, { usage, does }]) => `  ${name} ${usage}\n      ${does}`),
  ].join('\n'),
  takesArguments: true,
  options: {
    project: { type: 'string', value: '<project id>', help: 'the project, or an alias of .firebaserc' },
    operator: { type: 'string', value: '<name>', help: 'your name in the audit log' },
    bucket: { type: 'string', value: '<name>', help: 'by default the default bucket of the project' },
    json: { type: 'boolean', default: false, help: 'prints JSON' },
    'dry-run': { type: 'boolean', default: false, help: 'prints what would change, and changes nothing' },
    yes: { type: 'boolean', default: false, help: 'confirms what cannot be undone' },
    plan: { type: 'string', value: '<slug>', help: 'of functions/plans.json' },
    until: { type: 'string', value: '<date>', help: 'such as 2027-01-31' },
    kind: { type: 'string', value: '<kind>', help: 'of a mail' },
    email: { type: 'string', value: '<address>', help: 'that the person has proved to be theirs' },
    as: { type: 'string', value: '<operator>', help: 'the operator who impersonates' },
    reason: { type: 'string', value: '<text>', help: 'for the audit log' },
    minutes: { type: 'string', value: '<minutes>', help: 'of an impersonation, from 1 to 60; by default 30' },
    'end-subscription': { type: 'boolean', help: 'ends the subscription of a team that is deleted' },
  },
  examples: [
    'npm run --silent admin -- users show ada@example.com --project production --json',
    'npm run admin -- teams grant-plan acme --plan pro --until 2027-01-31 --project production --dry-run',
    'npm run admin -- users delete ada@example.com --project production --yes',
  ],
} as const satisfies CommandLine;

/** Stands for the key of Stripe, which only some commands need, if it is not set. */
export const NO_STRIPE_KEY = 'unset';

/** A command as it was typed. */
export type Typed = ReturnType<typeof parse>;

/** @throws Error for an unknown option, which names the known ones */
export function parse(args: readonly string[]) {
  const { values, positionals } = readCommandLine(COMMAND_LINE, args);
  const [noun = '', verb = '', ...rest] = positionals;
  return { name: `${noun} ${verb}`, args: rest, options: values };
}

/** The result of a command as text: JSON, or for a person to read, without an end of long lists and texts. */
export function textOf(result: unknown, { name, options }: Typed): string {
  const isJson = options.json || COMMANDS[name]?.printsJson === true;
  if (isJson) return JSON.stringify(result, null, 2);
  return inspect(result, { depth: null, maxArrayLength: null, maxStringLength: null });
}

/**
 * Runs a command. With `--dry-run` a command that changes something fails as it would for real, writes nothing, and
 * returns its plan.
 *
 * @returns the result as JSON can show it
 * @throws Error for a command that is unknown, lacks an argument or has one too many, and for one that needs `--yes` or
 *   the key of Stripe
 */
export async function runCommand(backend: Backend, operator: Operator, typed: Typed): Promise<unknown> {
  const { name, args, options } = typed;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const [text, ...rest] = args;
  if (command === undefined || text === undefined) throw new Error(helpOf(COMMAND_LINE));
  refuseFurther(name, command, args);
  requireStripeKey(command, backend);
  const id = command.find === undefined ? text : await command.find(backend, text);
  const call = { backend, operator, id, rest, options };
  const { does, plan } = command;
  if (options['dry-run'] && plan !== undefined) {
    return { dryRun: true, command: name, id, would: does, ...(await dryRun(command, call, plan)) };
  }
  requireConsent(command, options.yes);
  return (await command.run(call)) ?? { done: name, id };
}

/** `unknown` is there if the dry run ended before a change. */
async function dryRun(command: Command, call: Call, plan: NonNullable<Command['plan']>): Promise<object> {
  const { entries, endedBefore } = await rehearse(call.backend, (backend) =>
    command.run({ ...call, backend }),
  );
  return {
    plan: await plan(call),
    auditEntries: entries.map(({ action, target, details = {} }) => ({ action, target, details })),
    ...(endedBefore !== undefined && {
      endedBefore,
      unknown: 'This change, and all changes, audit entries and refusals after it.',
    }),
  };
}

/** Nothing is done with a further argument, such as a second user. */
function refuseFurther(name: string, { usage }: Command, args: readonly string[]): void {
  const [wanted = ''] = usage.split(/ \[?--/);
  const further = args.slice(wanted.match(/<[^>]+>/g)?.length);
  if (further.length > 0) throw new Error(`${name} takes only ${wanted}. Unexpected: ${further.join(' ')}`);
}

/** Otherwise the command could end between two changes. */
function requireStripeKey({ needsStripe }: Command, { config }: Backend): void {
  if (needsStripe !== true || config.stripeSecretKey !== NO_STRIPE_KEY) return;
  throw new Error('This command calls Stripe. Set the environment variable STRIPE_SECRET_KEY.');
}

function requireConsent({ final, does }: Command, isConfirmed: boolean): void {
  if (final === true && !isConfirmed) throw new Error(`This ${does}. Add --yes to confirm it.`);
}
