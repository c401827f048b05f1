/**
 * Writes the tables of firestore.rules and storage.rules from functions/plans.json and functions/extras.json:
 * `npm run plans`. The rest of the rules is written by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import extrasJson from '../functions/extras.json' with { type: 'json' };
import plansJson from '../functions/plans.json' with { type: 'json' };
import { extrasSchema, type AddOn, type PlansAndExtras } from '../functions/src/settings/extras.ts';
import { freePlan, planListSchema, type Limit, type Plan } from '../functions/src/settings/plans.ts';
import { ROOT } from './paths.ts';

export const RULES_FILE = join(ROOT, 'firestore.rules');
export const STORAGE_RULES_FILE = join(ROOT, 'storage.rules');

const BEGIN = '// Begin of the tables that `npm run plans` writes.\n';
const END = '// End of the tables that `npm run plans` writes.\n';

/**
 * Replaces the tables of firestore.rules.
 *
 * @throws Error if the rules do not have both markers
 */
export function withPlanTables(rules: string, offered: PlansAndExtras): string {
  return withTables(rules, tablesOf(offered), '    ');
}

/**
 * Replaces the tables of storage.rules.
 *
 * @throws Error if the rules do not have both markers
 */
export function withFileLimits(rules: string, offered: PlansAndExtras): string {
  return withTables(rules, fileLimitsOf(offered), '      ');
}

function withTables(rules: string, functions: readonly string[], indent: string): string {
  const [before, rest] = rules.split(indent + BEGIN);
  const after = rest?.split(indent + END)[1];
  if (before === undefined || after === undefined) throw new Error('The rules lack a marker.');
  const tables = functions.map((lines) => lines.replaceAll(/^(?=.)/gm, indent)).join('\n');
  return before + indent + BEGIN + tables + indent + END + after;
}

function tablesOf({ plans, extras }: PlansAndExtras): string[] {
  const [{ slug: free }] = plans;
  const former = plans.flatMap(({ slug, formerly }) => formerly.map((old) => entry(old, text(slug))));
  const ranks = plans.map(({ slug }, rank) => entry(slug, String(rank)));
  const entitlements = plans.map((plan) => entry(plan.slug, `[${plan.entitlements.map(text).join(', ')}]`));
  const limits = plans.map((plan) => entry(plan.slug, mapOf(plan.limits)));
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
    functionOf('addOnsGive(addOns, name)', [`return ${anyOf(extras.addOns)};`]),
    functionOf('addOnsAdd(addOns, name)', [`return ${sumOf(extras.addOns)};`]),
  ];
}

/** The limits of the size of a file, in megabytes. An unknown plan has the limit of the free plan. */
function fileLimitsOf({ plans, extras }: PlansAndExtras): string[] {
  const limits = plans.flatMap(({ slug, formerly, limits: { fileMegabytes } }) =>
    [slug, ...formerly].map((name) => entry(name, literal(fileMegabytes))),
  );
  const free = freePlan(plans).limits.fileMegabytes;
  const most = Math.max(...plans.map((plan) => mostFileMegabytes(plan, extras.addOns)));
  return [
    functionOf('fileMegabytesOf(plan)', [...tableOf('limits', limits), `return limits.get(plan, ${free});`]),
    functionOf('addedFileMegabytes(addOns)', [`return ${addedOf(extras.addOns)};`]),
    functionOf('mostFileMegabytes()', [`return ${most};`]),
  ];
}

/** The limit of a plan with as many units of each add-on as can be bought. */
function mostFileMegabytes({ slug, limits }: Plan, addOns: readonly AddOn[]): number {
  const added = addOns.filter(({ plans }) => plans.includes(slug));
  return added.reduce(
    (sum, addOn) => sum + addOn.maxQuantity * (addOn.limits['fileMegabytes'] ?? 0),
    limits.fileMegabytes,
  );
}

/** The megabytes that all add-ons together add to the limit of a file. */
function addedOf(addOns: readonly AddOn[]): string {
  const terms = addOns.flatMap(({ slug, limits: { fileMegabytes } }) =>
    fileMegabytes === undefined ? [] : [`addOns.get(${text(slug)}, 0) * ${fileMegabytes}`],
  );
  return terms.length === 0 ? '0' : terms.join('\n    + ');
}

function functionOf(signature: string, lines: readonly string[]): string {
  return [`function ${signature} {`, ...lines.map((line) => `  ${line}`), '}']
    .map((line) => `${line}\n`)
    .join('');
}

/** A variable with a map of one line for each entry. */
function tableOf(name: string, entries: readonly string[]): string[] {
  const rows = entries.map((row, index) => `  ${row}${index < entries.length - 1 ? ',' : ''}`);
  return [`let ${name} = {`, ...rows, '};'];
}

/** Whether one of the add-ons gives the entitlement `name`. */
function anyOf(addOns: readonly AddOn[]): string {
  const terms = addOns
    .filter(({ entitlements }) => entitlements.length > 0)
    .map(({ slug, entitlements }) => {
      const names = `[${entitlements.map(text).join(', ')}]`;
      return `(addOns.get(${text(slug)}, 0) > 0 && name in ${names})`;
    });
  return terms.length === 0 ? 'false' : terms.join('\n    || ');
}

/** The number that all add-ons together add to the limit `name`. */
function sumOf(addOns: readonly AddOn[]): string {
  const terms = addOns
    .filter(({ limits }) => Object.keys(limits).length > 0)
    .map(({ slug, limits }) => `addOns.get(${text(slug)}, 0) * ${mapOf(limits)}.get(name, 0)`);
  return terms.length === 0 ? '0' : terms.join('\n    + ');
}

function mapOf(limits: Readonly<Record<string, Limit>>): string {
  const entries = Object.entries(limits).map(([name, limit]) => entry(name, literal(limit)));
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
  const offered = { plans: planListSchema.parse(plansJson), extras: extrasSchema.parse(extrasJson) };
  writeFileSync(RULES_FILE, withPlanTables(readFileSync(RULES_FILE, 'utf8'), offered));
  writeFileSync(STORAGE_RULES_FILE, withFileLimits(readFileSync(STORAGE_RULES_FILE, 'utf8'), offered));
}
