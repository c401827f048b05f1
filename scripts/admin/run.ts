import { parseArgs } from 'node:util';
import type { Operator } from '../../functions/src/admin/operator.ts';
import type { Backend } from '../../functions/src/backend.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';

const OPTIONS = {
  project: { type: 'string' },
  operator: { type: 'string' },
  json: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  plan: { type: 'string' },
  until: { type: 'string' },
  as: { type: 'string' },
  reason: { type: 'string' },
  minutes: { type: 'string' },
  kind: { type: 'string' },
  'end-subscription': { type: 'boolean' },
} as const;

/** A command as it was typed. */
export type Typed = ReturnType<typeof parse>;

/** @throws Error for an unknown option */
export function parse(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [noun = '', verb = '', ...rest] = positionals;
  return { name: `${noun} ${verb}`, args: rest, options: values };
}

/** All commands, one line each. */
export function help(): string {
  const lines = Object.entries(COMMANDS).map(
    ([name, { usage, does }]) => `  ${name} ${usage}\n      ${does}`,
  );
  const general =
    'npm run admin -- <command> --project <project id> [--json] [--dry-run] [--operator <name>]';
  return [general, '', ...lines].join('\n');
}

/**
 * Runs a command. With `--dry-run` a command that changes something only finds its subject.
 *
 * @returns the result as JSON can show it
 * @throws Error for a command that is unknown, lacks an argument, or needs `--yes`
 */
export async function runCommand(backend: Backend, operator: Operator, typed: Typed): Promise<unknown> {
  const { name, args, options } = typed;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const [text, ...rest] = args;
  if (command === undefined || text === undefined) throw new Error(help());
  const id = command.find === undefined ? text : await command.find(backend, text);
  const isDryRun = options['dry-run'] && command.reads !== true;
  if (isDryRun) return { dryRun: true, command: name, id, would: command.does };
  requireConsent(command, options.yes);
  const result = await command.run({ backend, operator, id, rest, options });
  return result ?? { done: name, id };
}

function requireConsent({ final, does }: Command, isConfirmed: boolean): void {
  if (final === true && !isConfirmed) throw new Error(`This ${does}. Add --yes to confirm it.`);
}
