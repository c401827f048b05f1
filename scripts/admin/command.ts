import type { Operator } from '../../functions/src/admin/operator.ts';
import type { Backend } from '../../functions/src/backend.ts';

/** The values of options as they are typed. */
export interface Options {
  plan?: string | undefined;
  until?: string | undefined;
  as?: string | undefined;
  reason?: string | undefined;
  minutes?: string | undefined;
  kind?: string | undefined;
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
  /** The arguments and options, for the help. */
  usage: string;
  does: string;
  /** Finds the id of the subject by the first argument; by default the argument is the id. */
  find?: (backend: Backend, text: string) => Promise<string>;
  /** True for a command that only reads. */
  reads?: true;
  /** True for a command that cannot be undone: it needs `--yes`. */
  final?: true;
  run: (call: Call) => Promise<unknown>;
}

/** @throws Error for an option or argument that is missing */
export function required(name: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`Missing: ${name}`);
  return value;
}
