/** A source file of a ruleset, as the Firebase CLI sends it. */
export interface RulesFile {
  name: string;
  content: string;
}

/** One `verify` request: may this operation happen on this path? */
export interface VerifyContext {
  rulesetName: string;
  path: string;
  method: string;
}

/** The answer of a rules evaluator; warnings are shown in the CLI's log. */
export interface Verdict {
  permit: boolean;
  warnings: string[];
}

/** Judges a request against the source files of its ruleset. */
export type Evaluate = (files: readonly RulesFile[], request: VerifyContext) => Verdict;

/** What the CLI reads back; without `action` it would not hand an error to the caller that waits for it. */
export interface Response {
  id?: number;
  action?: string;
  status: 'ok' | 'error';
  message?: string;
  result?: { rulesVersion: number } | { permit: boolean };
  errors: string[];
  warnings: string[];
}

/** The line that tells the CLI that the runtime is up. */
export const READY: Response = { id: -1, status: 'ok', errors: [], warnings: [] };

/** Denies everything, with a warning that says why. */
export const denyAll: Evaluate = (_files, { method, path }) => ({
  permit: false,
  warnings: [
    `Denied ${method} ${path}: this stack does not evaluate storage rules yet; the Admin SDK is not affected.`,
  ],
});

/**
 * Answers the requests of the Firebase CLI's Storage emulator, one JSON object a line (the CLI's side of it is
 * `lib/emulator/storage/rules/runtime.js` in firebase-tools). Never throws: what cannot be understood is answered
 * with status `error`.
 */
export function createStorageRulesProtocol(evaluate: Evaluate): (line: string) => Response {
  const rulesets = new Map<string, RulesFile[]>();

  return (line) => {
    let request: Record<string, unknown> = {};
    try {
      request = asObject(JSON.parse(line), 'request');
      return { ...envelope(request), status: 'ok', ...answer(request, rulesets, evaluate) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { ...envelope(request), status: 'error', message, errors: [message], warnings: [] };
    }
  };
}

function answer(
  request: Record<string, unknown>,
  rulesets: Map<string, RulesFile[]>,
  evaluate: Evaluate,
): Pick<Response, 'result' | 'errors' | 'warnings'> {
  const context = asObject(request['context'], 'context');
  const rulesetName = asString(context['rulesetName'], 'context.rulesetName');
  switch (request['action']) {
    case 'load_ruleset': {
      const files = readFiles(context['source']);
      rulesets.set(rulesetName, files);
      return { result: { rulesVersion: rulesVersion(files) }, errors: [], warnings: [] };
    }
    case 'verify': {
      const files = rulesets.get(rulesetName);
      if (files === undefined) throw new Error(`Ruleset ${rulesetName} is not loaded`);
      const path = asString(context['path'], 'context.path');
      const method = asString(context['method'], 'context.method');
      const { permit, warnings } = evaluate(files, { rulesetName, path, method });
      return { result: { permit }, errors: [], warnings };
    }
    default:
      throw new Error(`Unsupported action ${JSON.stringify(request['action'])}`);
  }
}

/** Version 2 only where a source says so, as in the published rules language; 1 is the default. */
function rulesVersion(files: readonly RulesFile[]): number {
  return files.some(({ content }) => /^\s*rules_version\s*=\s*(['"])2\1/m.test(content)) ? 2 : 1;
}

function readFiles(source: unknown): RulesFile[] {
  const files = asObject(source, 'context.source')['files'];
  if (!Array.isArray(files)) throw new Error('context.source.files must be a list');
  return files.map((file: unknown) => {
    const { name, content } = asObject(file, 'file');
    return { name: asString(name, 'file.name'), content: asString(content, 'file.content') };
  });
}

function envelope({ id, action }: Record<string, unknown>): Pick<Response, 'id' | 'action'> {
  return {
    ...(typeof id === 'number' ? { id } : {}),
    ...(typeof action === 'string' ? { action } : {}),
  };
}

function asObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${name} must be an object`);
  }
  return value as Record<string, unknown>;
}

function asString(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Error(`${name} must be a string`);
  return value;
}
