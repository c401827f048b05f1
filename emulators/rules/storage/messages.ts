import type { Issue } from '../issue.ts';

/** A message to the Firebase CLI: one JSON object per line. */
export interface Message {
  readonly id?: number;
  /** Names the request that this continues: the CLI is asked for something, and answers under the same id. */
  readonly server_request_id?: number;
  /** Without it the CLI would not hand an error to the caller that waits for it. */
  readonly action?: string;
  readonly status: 'ok' | 'error';
  readonly message?: string;
  readonly context?: { readonly path: string };
  readonly result?: { readonly rulesVersion: number } | { readonly permit: boolean };
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** The line by which the CLI recognizes that the runtime is ready. */
export const READY: Message = { id: -1, status: 'ok', errors: [], warnings: [] };

/** A source file of a ruleset, as the Firebase CLI sends it. */
export interface RulesFile {
  readonly name: string;
  readonly content: string;
}

/** An issue as the CLI takes it apart: it prints `description in file:line`. */
export function issueText({ severity, line, column, message }: Issue, fileName: string): string {
  return JSON.stringify({
    sourcePosition_: { fileName_: fileName, line_: line, column_: column },
    severity_: severity === 'error' ? 'ERROR' : 'WARNING',
    description_: message,
  });
}

export function asObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${name} must be an object`);
  }
  return value as Record<string, unknown>;
}

export function asString(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Error(`${name} must be a string`);
  return value;
}

export function asArray(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw new Error(`${name} must be a list`);
  return value;
}
