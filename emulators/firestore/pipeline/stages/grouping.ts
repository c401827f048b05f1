import { invalidArgument } from '../../errors.ts';
import { compareValues } from '../../model/compare.ts';
import { valueKey } from '../../model/value-key.ts';
import type { Value } from '../../model/value.ts';
import type { WireExpression } from '../../wire/messages.ts';
import { aliased, mapArgument } from '../arguments.ts';
import { withAlias } from '../row.ts';
import type { Expression, Row, RowContext } from '../row.ts';
import { compileAccumulator } from './accumulators.ts';
import type { Transform } from './stage.ts';

interface Group {
  /** The values of the groups' expressions; an absent one counts as null. */
  readonly key: readonly Value[];
  readonly rows: Row[];
}

/** One row for each group, or one for all rows without groups. */
export function aggregateStage(args: readonly WireExpression[]): Transform {
  const accumulators = Object.entries(mapArgument('aggregate', args[0])).map(
    ([alias, wire]) => [alias, compileAccumulator(wire)] as const,
  );
  const groups = args[1] ? aliased('aggregate', args[1]) : [];
  if (accumulators.length === 0)
    throw invalidArgument('The aggregate stage needs at least one aggregate function.');
  return (rows, { context }) => {
    const grouped = groups.length === 0 ? [{ key: [], rows: [...rows] }] : groupBy(rows, groups);
    return grouped.map((group) =>
      accumulators.reduce(
        (row, [alias, accumulate]) => withAlias(row, alias, accumulate(group.rows)),
        keyRow(context, groups, group),
      ),
    );
  };
}

/** One row for each combination of values. */
export function distinctStage(args: readonly WireExpression[]): Transform {
  const groups = aliased('distinct', args[0]);
  return (rows, { context }) => groupBy(rows, groups).map((group) => keyRow(context, groups, group));
}

const keyRow = (
  context: RowContext,
  groups: readonly (readonly [string, Expression])[],
  { key }: Group,
): Row =>
  groups.reduce<Row>((row, [alias], index) => withAlias(row, alias, key[index]), {
    context,
    fields: new Map(),
  });

function groupBy(rows: readonly Row[], groups: readonly (readonly [string, Expression])[]): readonly Group[] {
  const found: Group[] = [];
  const byText = new Map<string, Group[]>();
  for (const row of rows) {
    const key = groups.map(([, expression]) => expression(row) ?? null);
    const text = key.map(valueKey).join('\n');
    const candidates = byText.get(text) ?? [];
    const group = candidates.find((candidate) => isSame(candidate.key, key));
    if (group) {
      group.rows.push(row);
      continue;
    }
    const created = { key, rows: [row] };
    found.push(created);
    byText.set(text, [...candidates, created]);
  }
  return found;
}

const isSame = (left: readonly Value[], right: readonly Value[]): boolean => compareValues(left, right) === 0;
