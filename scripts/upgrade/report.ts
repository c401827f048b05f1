import type { Entry } from './changelog.ts';
import type { Conflict, UpgradePlan } from './plan.ts';

/** The text that `npm run upgrade` prints before it merges. */
export function reportOf(from: string, plan: UpgradePlan): string {
  const { target, joins, commits, conflicts, leftOut, entries } = plan;
  if (commits === 0) return `The project has everything of ${from}.`;
  return [
    `${from} is ${target.slice(0, 12)}, with ${commits} new commit${commits === 1 ? '' : 's'}.`,
    ...(joins === undefined
      ? []
      : [
          `The history of Hearth is joined first, at ${joins.slice(0, 12)}, from which the project was made.`,
        ]),
    ...leftOut.map(({ folder }) => `The project has no ${folder}: its files and tests are left out.`),
    '',
    ...entryLines(entries),
    '',
    ...conflictLines(conflicts),
  ].join('\n');
}

function entryLines(entries: readonly Entry[]): string[] {
  if (entries.length === 0) return ['The changelog has no new entries.'];
  const lines = ['New in the changelog. It names settings, indexes, rules and data that need a step.'];
  let heading = '';
  for (const { version, kind, text } of entries) {
    const next = kind === '' ? version : `${version}, ${kind}`;
    if (next !== heading) lines.push(`  ${next}`);
    heading = next;
    lines.push(`    - ${text}`);
  }
  return lines;
}

function conflictLines(conflicts: readonly Conflict[]): string[] {
  if (conflicts.length === 0) return ['No file conflicts.'];
  const groups = Map.groupBy(conflicts, ({ ownership }) => ownership);
  return [
    `${conflicts.length} file${conflicts.length === 1 ? '' : 's'} in conflict:`,
    ...[...groups].flatMap(([{ conflict, side }, members]) => [
      `  ${side}: ${conflict}`,
      ...members.map(({ file, kinds }) => `    ${file}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`),
    ]),
  ];
}
