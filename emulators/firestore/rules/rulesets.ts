import type { Issue } from '../../rules/issue.ts';
import type { Decision, RulesRequest } from '../../rules/request.ts';
import { loadRuleset } from '../../rules/ruleset.ts';
import type { Ruleset } from '../../rules/ruleset.ts';
import { Coverage } from './coverage.ts';

interface LoadedRules {
  readonly source: string;
  readonly ruleset: Ruleset;
}

/** The rules of one project, and how their expressions came out so far. */
export class ActiveRules {
  readonly coverage: Coverage;
  readonly #ruleset: Ruleset;

  constructor({ source, ruleset }: LoadedRules) {
    this.#ruleset = ruleset;
    this.coverage = new Coverage(source, ruleset.tree);
  }

  judge(request: RulesRequest): Promise<Decision> {
    return this.#ruleset.evaluate({ ...request, trace: this.coverage.record });
  }
}

/** The security rules of all projects: each has those that were loaded for it, else those of the start. */
export class Rulesets {
  /** What was found in the rules of the start. */
  readonly startIssues: readonly Issue[];
  readonly #start: LoadedRules | undefined;
  readonly #active = new Map<string, ActiveRules>();

  constructor(source?: string) {
    const { rules, issues } = source === undefined ? { issues: [] } : load(source);
    this.#start = rules;
    this.startIssues = issues;
  }

  /** Replaces the rules of a project, unless there is an error among the issues that it gives. */
  replace(project: string, source: string): readonly Issue[] {
    const { rules, issues } = load(source);
    if (rules) this.#active.set(project, new ActiveRules(rules));
    return issues;
  }

  /** Undefined when no rules could be loaded, neither for the project nor at the start. */
  of(project: string): ActiveRules | undefined {
    const active = this.#active.get(project);
    if (active || !this.#start) return active;
    const fallback = new ActiveRules(this.#start);
    this.#active.set(project, fallback);
    return fallback;
  }
}

function load(source: string): { rules?: LoadedRules; issues: readonly Issue[] } {
  const loaded = loadRuleset(source);
  if ('issues' in loaded) return loaded;
  const { ruleset } = loaded;
  return { rules: { source, ruleset }, issues: ruleset.warnings };
}
