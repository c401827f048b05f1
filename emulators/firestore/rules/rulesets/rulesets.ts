import type { Issue } from '@hearth/security-rules/issue';
import type { Decision, RulesRequest } from '@hearth/security-rules/request';
import { loadRuleset } from '@hearth/security-rules/ruleset';
import type { Ruleset } from '@hearth/security-rules/ruleset';
import { Coverage } from './coverage.ts';

interface LoadedRules {
  readonly source: string;
  readonly ruleset: Ruleset;
}

/** The rules of a project or database, with the results of their expressions so far. */
export class ActiveRules {
  readonly coverage: Coverage;
  readonly #ruleset: Ruleset;

  constructor({ source, ruleset }: LoadedRules) {
    this.#ruleset = ruleset;
    this.coverage = new Coverage(source, ruleset.tree);
  }

  evaluate(request: RulesRequest): Promise<Decision> {
    return this.#ruleset.evaluate({ ...request, trace: this.coverage.record });
  }
}

/**
 * The security rules of all databases. A database has the rules that were loaded for it, otherwise the rules of its
 * project, otherwise the rules given at the start.
 */
export class Rulesets {
  /** The issues of the rules of the start. */
  readonly startIssues: readonly Issue[];
  readonly #start: LoadedRules | undefined;
  readonly #active = new Map<string, ActiveRules>();

  constructor(source?: string) {
    const { rules, issues } = source === undefined ? { issues: [] } : load(source);
    this.#start = rules;
    this.startIssues = issues;
  }

  /**
   * Replaces the rules of a scope: a project (`projects/P`) or one database (`projects/P/databases/D`). Rules with an
   * error among the returned issues change nothing.
   */
  replace(scope: string, source: string): readonly Issue[] {
    const { rules, issues } = load(source);
    if (rules) this.#active.set(scope, new ActiveRules(rules));
    return issues;
  }

  /** The rules of a scope. Undefined when no rules could be loaded, neither for it nor at the start. */
  of(scope: string): ActiveRules | undefined {
    const project = /^projects\/[^/]+/.exec(scope)?.[0] ?? scope;
    const active = this.#active.get(scope) ?? this.#active.get(project);
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
