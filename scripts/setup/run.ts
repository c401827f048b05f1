import { GoogleError } from './google.ts';
import type { Finding, Step } from './step.ts';

export interface RunOptions {
  /** `apply` changes what differs, `plan` prints what it would change, and `check` prints what is wrong. */
  mode: 'apply' | 'plan' | 'check';
  print: (line: string) => void;
}

export interface Outcome {
  /** Differences that were removed, or with `plan` would be. */
  changes: number;
  /** Differences that need a person. */
  todo: string[];
  /** Checks and changes that failed. */
  failures: string[];
  /** Steps that could not be checked, because their APIs are not enabled. */
  unchecked: string[];
}

/**
 * Runs the steps in order. A step that fails does not stop the next ones, so that one run shows everything that is
 * wrong.
 *
 * With `apply` each step is checked again after its changes. It runs at most three rounds, because one change can show
 * the next difference.
 */
export async function runSteps<Needed>(
  steps: readonly Step<Needed>[],
  target: Needed,
  { mode, print }: RunOptions,
): Promise<Outcome> {
  const outcome: Outcome = { changes: 0, todo: [], failures: [], unchecked: [] };
  const unchecked: Unchecked = new Map();
  for (const step of steps) {
    const lines = await runStep(step, target, mode, outcome, unchecked);
    print(`${lines.length === 0 ? 'ok  ' : '    '} ${step.title}`);
    for (const line of lines) print(`       ${line}`);
  }
  outcome.unchecked.push(...[...unchecked.values()].flat());
  // A plan enables the APIs first.
  if (mode !== 'plan') {
    for (const [service, titles] of unchecked) {
      outcome.todo.push(`Enable ${service}, and run this again. It checks: ${titles.join(', ')}.`);
    }
  }
  return outcome;
}

/** The titles of the steps that could not be checked, by the API that is not enabled. */
type Unchecked = Map<string, string[]>;

/** 0 if nothing is left to do, 1 if something failed, 2 if something is left for a person. */
export function exitCodeOf({ todo, failures }: Outcome): 0 | 1 | 2 {
  if (failures.length > 0) return 1;
  return todo.length > 0 ? 2 : 0;
}

/** The last lines of a run, with everything that is left as a checklist. */
export function summaryOf({ changes, todo, failures, unchecked }: Outcome, mode: RunOptions['mode']): string {
  const lines = mode === 'check' ? [] : [`${changes} changes ${mode === 'plan' ? 'would be made' : 'made'}.`];
  if (unchecked.length > 0)
    lines.push(`Not checked, because an API is not enabled: ${unchecked.join(', ')}.`);
  if (failures.length > 0) lines.push(`${failures.length} failed:`, ...failures.map((line) => `  ${line}`));
  if (todo.length > 0) lines.push(`${todo.length} left to do:`, ...todo.map((line) => `  [ ] ${line}`));
  else if (failures.length === 0 && unchecked.length === 0) lines.push('Nothing is left to do.');
  return lines.join('\n');
}

const MOST_ROUNDS = 3;

async function runStep<Needed>(
  step: Step<Needed>,
  target: Needed,
  mode: RunOptions['mode'],
  outcome: Outcome,
  unchecked: Unchecked,
): Promise<string[]> {
  const lines: string[] = [];
  try {
    let findings = await step.check(target);
    for (let round = 1; mode === 'apply' && round <= MOST_ROUNDS && findings.some(isApplicable); round++) {
      for (const finding of findings.filter(isApplicable)) {
        await finding.apply();
        outcome.changes++;
        lines.push(`done: ${finding.action}`);
      }
      findings = await step.check(target);
    }
    for (const finding of findings) lines.push(lineOf(finding, mode, outcome));
  } catch (error) {
    if (error instanceof GoogleError && error.disabledService !== undefined) {
      const { disabledService: service } = error;
      unchecked.set(service, [...(unchecked.get(service) ?? []), step.title]);
      return [...lines, `cannot be checked until ${service} is enabled`];
    }
    const message = error instanceof Error ? error.message : String(error);
    outcome.failures.push(`${step.title}: ${message}`);
    lines.push(`failed: ${message}`);
  }
  return lines;
}

type Applicable = Extract<Finding, { apply: unknown }>;

function isApplicable(finding: Finding): finding is Applicable {
  return 'apply' in finding;
}

function lineOf(finding: Finding, mode: RunOptions['mode'], outcome: Outcome): string {
  if ('isNote' in finding) return `note: ${finding.text}`;
  if (!isApplicable(finding)) {
    const line = `${finding.text} ${finding.advice}`;
    outcome.todo.push(line);
    return `to do: ${line}`;
  }
  if (mode === 'plan') {
    outcome.changes++;
    return `would: ${finding.action}. ${finding.text}`;
  }
  if (mode === 'apply') {
    outcome.failures.push(finding.text);
    return `failed: ${finding.text}`;
  }
  outcome.todo.push(finding.text);
  return `wrong: ${finding.text} Run npm run setup, which will ${finding.action}.`;
}
