import { invalidArgument } from '../../errors.ts';
import { compareValues } from '../../model/compare.ts';
import { withoutField } from '../../model/field-path.ts';
import { isArray, isMap } from '../../model/value.ts';
import { asVector, nearestOf } from '../../query/nearest.ts';
import type { Nearest } from '../../query/nearest.ts';
import type { WireExpression, WireStage } from '../../wire/messages.ts';
import {
  aliased,
  countArgument,
  expressionArgument,
  fieldArgument,
  mapArgument,
  numberArgument,
  textArgument,
} from '../arguments.ts';
import { constantOf } from '../expression.ts';
import { withAlias, withValueAt } from '../row.ts';
import type { Expression, Result, Row } from '../row.ts';
import { aggregateStage, distinctStage } from './grouping.ts';
import type { Transform } from './stage.ts';

// https://firebase.google.com/docs/firestore/pipelines/stages

type Options = Readonly<Record<string, WireExpression>>;
type Compile = (args: readonly WireExpression[], options: Options) => Transform;

function where([condition]: readonly WireExpression[]): Transform {
  const holds = expressionArgument('where', condition);
  return (rows) => rows.filter((row) => holds(row) === true);
}

function select([fields]: readonly WireExpression[]): Transform {
  const selections = aliased('select', fields);
  return (rows) =>
    rows.map((row) =>
      selections.reduce<Row>((result, [alias, expression]) => withAlias(result, alias, expression(row)), {
        context: row.context,
        fields: new Map(),
      }),
    );
}

function addFields([fields]: readonly WireExpression[]): Transform {
  const additions = aliased('add_fields', fields);
  return (rows) =>
    rows.map((row) =>
      additions.reduce((result, [alias, expression]) => withAlias(result, alias, expression(row)), row),
    );
}

function removeFields(args: readonly WireExpression[]): Transform {
  const fields = args.map((arg) => fieldArgument('remove_fields', arg));
  return (rows) => rows.map((row) => ({ ...row, fields: fields.reduce(withoutField, row.fields) }));
}

function replaceWith([map, mode]: readonly WireExpression[]): Transform {
  const expression = expressionArgument('replace_with', map);
  if (mode && constantOf(mode) !== 'full_replace') {
    throw invalidArgument('The stage "replace_with" knows the mode full_replace only.');
  }
  return (rows) =>
    rows.map((row) => {
      const fields = expression(row);
      if (!isMap(fields)) throw invalidArgument('The stage "replace_with" needs a map.');
      return { context: row.context, fields };
    });
}

interface Ordering {
  readonly expression: Expression;
  readonly sign: 1 | -1;
}

function sort(args: readonly WireExpression[]): Transform {
  const orderings = args.map(parseOrdering);
  if (orderings.length === 0) throw invalidArgument('The stage "sort" needs an ordering.');
  return (rows) =>
    rows
      .map((row) => ({ row, keys: orderings.map(({ expression }) => expression(row)) }))
      .sort((left, right) => compareKeys(orderings, left.keys, right.keys))
      .map(({ row }) => row);
}

function parseOrdering(wire: WireExpression): Ordering {
  const { expression, direction } = mapArgument('sort', wire);
  const name = direction ? textArgument('sort', direction) : 'ascending';
  if (name !== 'ascending' && name !== 'descending') {
    throw invalidArgument(`The stage "sort" knows no direction "${name}".`);
  }
  return { expression: expressionArgument('sort', expression), sign: name === 'ascending' ? 1 : -1 };
}

/** The absent value comes before null. */
function compareKeys(
  orderings: readonly Ordering[],
  left: readonly Result[],
  right: readonly Result[],
): number {
  for (const [index, { sign }] of orderings.entries()) {
    const a = left[index];
    const b = right[index];
    const order =
      a === undefined || b === undefined
        ? Number(a !== undefined) - Number(b !== undefined)
        : compareValues(a, b);
    if (order !== 0) return sign * order;
  }
  return 0;
}

function limit([count]: readonly WireExpression[]): Transform {
  const most = countArgument('limit', count);
  return (rows) => rows.slice(0, most);
}

function offset([count]: readonly WireExpression[]): Transform {
  const skipped = countArgument('offset', count);
  return (rows) => rows.slice(skipped);
}

/** A row for each element. A value that is no array leaves the row as it is, with a null index. */
function unnest([array, alias]: readonly WireExpression[], { index_field: index }: Options): Transform {
  const expression = expressionArgument('unnest', array);
  const field = fieldArgument('unnest', alias);
  const indexField = index && fieldArgument('unnest', index);
  const indexed = (row: Row, position: bigint | null): Row =>
    indexField ? withValueAt(row, indexField, position) : row;
  return (rows) =>
    rows.flatMap((row) => {
      const values = expression(row);
      if (!isArray(values)) return [indexed(row, null)];
      return values.map((value, position) => indexed(withValueAt(row, field, value), BigInt(position)));
    });
}

const MEASURES: ReadonlyMap<string, Nearest['measure']> = new Map([
  ['euclidean', 'EUCLIDEAN'],
  ['cosine', 'COSINE'],
  ['dot_product', 'DOT_PRODUCT'],
]);

function findNearest([field, vector, measure]: readonly WireExpression[], options: Options): Transform {
  const name = textArgument('find_nearest', measure);
  const found = MEASURES.get(name);
  if (!found) throw invalidArgument(`The stage "find_nearest" knows no distance measure "${name}".`);
  const query = asVector(constantOf(vector));
  if (!query || query.length === 0) throw invalidArgument('The stage "find_nearest" needs a query vector.');
  const { limit: most, distance_field: distance, distance_threshold: threshold } = options;
  const nearest: Nearest = {
    field: fieldArgument('find_nearest', field),
    vector: query,
    measure: found,
    limit: most ? countArgument('find_nearest', most) : Infinity,
    resultField: distance && fieldArgument('find_nearest', distance),
    threshold: threshold && numberArgument('find_nearest', threshold),
  };
  return (rows) => nearestOf(nearest, rows);
}

function sample([size, mode]: readonly WireExpression[]): Transform {
  if (textArgument('sample', mode) === 'percent') {
    const rate = numberArgument('sample', size);
    return (rows) => rows.filter(() => Math.random() < rate);
  }
  const count = countArgument('sample', size);
  return (rows) => {
    const shuffled = rows.map((row) => ({ row, position: Math.random() }));
    const chosen = shuffled.sort((left, right) => left.position - right.position).slice(0, count);
    return chosen.map(({ row }) => row);
  };
}

const STAGES: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ['where', where],
  ['select', select],
  ['add_fields', addFields],
  ['remove_fields', removeFields],
  ['replace_with', replaceWith],
  ['sort', sort],
  ['limit', limit],
  ['offset', offset],
  ['aggregate', aggregateStage],
  ['distinct', distinctStage],
  ['unnest', unnest],
  ['find_nearest', findNearest],
  ['sample', sample],
]);

/** Reads a stage after the first one, or returns undefined for a name that is not in the table. */
export const compileStage = ({ name = '', args = [], options = {} }: WireStage): Transform | undefined =>
  STAGES.get(name)?.(args, options);
