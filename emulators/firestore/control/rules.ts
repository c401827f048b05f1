import { invalidArgument, notFound } from '../errors.ts';
import { coveragePage } from '../rules/rulesets/coverage-page.ts';
import type { CoverageReport } from '../rules/rulesets/coverage-page.ts';
import { issueMessage, issueText } from '../rules/rulesets/issues.ts';
import type { Rulesets } from '../rules/rulesets/rulesets.ts';
import { ok } from './route.ts';
import type { ControlEndpoint } from './route.ts';

interface RulesBody {
  /** Set by the Firebase CLI, which prints the issues of refused rules itself. */
  readonly ignore_errors?: unknown;
  readonly rules?: { readonly files?: readonly { readonly name?: unknown; readonly content?: unknown }[] };
}

/** Replaces the rules of a project or database. Rules with an error are refused and change nothing. */
export const setRules: ControlEndpoint = ({ rulesets }, { params: [scope = ''], body }) => {
  const { rules, ignore_errors: ignoreErrors } = (body as RulesBody | null) ?? {};
  const { content, name = 'security.rules' } = rules?.files?.[0] ?? {};
  if (typeof content !== 'string') {
    throw invalidArgument('The body must hold the rules source in rules.files[0].content.');
  }
  const issues = rulesets.replace(scope, content);
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 && ignoreErrors !== true) {
    throw invalidArgument(errors.map((issue) => issueText(String(name), issue)).join('\n'));
  }
  return ok({ issues: issues.map(issueMessage) });
};

export const reportCoverage: ControlEndpoint = ({ rulesets }, { params: [scope = ''] }) => {
  const { source, report } = coverageOf(rulesets, scope);
  return ok({ rules: { files: [{ content: source }] }, report });
};

export const showCoverage: ControlEndpoint = ({ rulesets }, { params: [scope = ''] }) => ({
  ...ok(coveragePage(coverageOf(rulesets, scope))),
  contentType: 'text/html; charset=utf-8',
});

function coverageOf(rulesets: Rulesets, scope: string): CoverageReport {
  const coverage = rulesets.of(scope)?.coverage;
  if (!coverage) throw notFound(`No security rules are loaded for ${scope}.`);
  return { source: coverage.source, report: coverage.report() };
}
