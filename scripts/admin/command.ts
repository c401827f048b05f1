import * as z from 'zod';
import type { Operator } from '../../functions/src/admin/operator.service.ts';
import type { Backend } from '../../functions/src/backend.ts';

/** The values of options as they are typed. */
export interface Options {
  plan?: string | undefined;
  until?: string | undefined;
  as?: string | undefined;
  reason?: string | undefined;
  minutes?: string | undefined;
  kind?: string | undefined;
  email?: string | undefined;
  'end-subscription'?: boolean | undefined;
}

/** One call of a command. */
export interface Call {
  backend: Backend;
  operator: Operator;
  /** The id of the subject that the operator typed. */
  id: string;
  /** The rest of the arguments. */
  rest: readonly string[];
  options: Options;
}

export interface Command {
  /** The arguments and options, for the help. The arguments come first. */
  usage: string;
  does: string;
  /** Finds the id of the subject by the first argument; by default the argument is the id. */
  find?: (backend: Backend, text: string) => Promise<string>;
  /** True for a command that calls Stripe. */
  needsStripe?: true;
  /** True for a command whose result is a file for others: it is JSON also without `--json`. */
  printsJson?: true;
  /** True for a command that cannot be undone: it needs `--yes`. */
  final?: true;
  /** Describes the change for a dry run, and only reads. A command without a plan changes nothing. */
  plan?: (call: Call) => Promise<object>;
  run: (call: Call) => Promise<unknown>;
}

/**
 * @param name as the help has it: `--plan` or `<user>`
 * @throws Error for an option or argument that is missing
 */
export function required(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`Missing: ${name}`);
  return value;
}

/**
 * @param schema has the names of the options
 * @throws Error that names each wrong option
 */
export function validOptions<Schema extends z.ZodType>(
  schema: Schema,
  typed: Record<string, unknown>,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(typed);
  if (success) return data;
  throw new Error(error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
}

const dateSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** @throws Error unless the text is a day, or a time with its offset */
export function dateOf(text: string): Date {
  const { data } = dateSchema.safeParse(text);
  if (data === undefined) throw new Error(`${text} is not a date such as 2027-01-31 or 2027-01-31T12:00:00Z`);
  return new Date(data);
}
