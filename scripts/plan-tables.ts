/**
 * Writes the tables of firestore.rules from functions/plans.json: `npm run plans`. The rest of the rules is written by
 * hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import plansJson from '../functions/plans.json' with { type: 'json' };
import { planListSchema, type Limit, type Plan, type PlanList } from '../functions/src/settings/plans.ts';
import { ROOT } from './paths.ts';

export const RULES_FILE = join(ROOT, 'firestore.rules');

const BEGIN = '    // Begin of the tables that `npm run plans` writes.\n';
const END = '    // End of the tables that `npm run plans` writes.\n';

/**
 * Replaces the tables of the rules.
 *
 * @throws Error if the rules do not have both markers
 */
export function withPlanTables(rules: string, plans: PlanList): string {
  const [before, rest] = rules.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('firestore.rules lacks a marker.');
  return before + BEGIN + tablesOf(plans) + END + after;
}

function tablesOf(plans: PlanList): string {
  const [{ slug: free }] = plans;
  const former = plans.flatMap(({ slug, formerly }) => formerly.map((old) => entry(old, text(slug))));
  const ranks = plans.map(({ slug }, rank) => entry(slug, String(rank)));
  const entitlements = plans.map((plan) => entry(plan.slug, `[${plan.entitlements.map(text).join(', ')}]`));
  const limits = plans.map((plan) => entry(plan.slug, mapOfLimits(plan)));
  return [
    functionOf('freeSlug()', [`return ${text(free)};`]),
    functionOf('slugOf(plan)', [`let slugs = {${former.join(', ')}};`, 'return slugs.get(plan, plan);']),
    functionOf('rankOf(plan)', [`let ranks = {${ranks.join(', ')}};`, 'return ranks.get(slugOf(plan), -1);']),
    functionOf('entitlementsOf(plan)', [
      ...tableOf('entitlements', entitlements),
      'return entitlements.get(slugOf(plan), []);',
    ]),
    functionOf('limitsOf(plan)', [
      ...tableOf('limits', limits),
      'return limits.get(slugOf(plan), limits[freeSlug()]);',
    ]),
  ].join('\n');
}

function functionOf(signature: string, lines: readonly string[]): string {
  return [`function ${signature} {`, ...lines.map((line) => `  ${line}`), '}']
    .map((line) => `    ${line}\n`)
    .join('');
}

/** A variable with a map of one line for each entry. */
function tableOf(name: string, entries: readonly string[]): string[] {
  const rows = entries.map((row, index) => `  ${row}${index < entries.length - 1 ? ',' : ''}`);
  return [`let ${name} = {`, ...rows, '};'];
}

function mapOfLimits({ limits }: Plan): string {
  const entries = Object.entries<Limit>(limits).map(([name, limit]) => entry(name, literal(limit)));
  return `{${entries.join(', ')}}`;
}

function entry(key: string, value: string): string {
  return `${text(key)}: ${value}`;
}

function literal(limit: Limit): string {
  return typeof limit === 'string' ? text(limit) : String(limit);
}

/** A string of the rules language. */
function text(value: string): string {
  return `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
}

if (import.meta.main) {
  writeFileSync(
    RULES_FILE,
    withPlanTables(readFileSync(RULES_FILE, 'utf8'), planListSchema.parse(plansJson)),
  );
}
