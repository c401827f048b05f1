import { InvalidParameter } from './errors.ts';
import { integer, required, text } from './parameters/params.ts';

/** The parameters of every search. */
export const searchParams = { query: required(text()), limit: integer(1, 100), page: text() };

type Searchable = Readonly<Record<string, unknown>>;
type Predicate = (row: Searchable) => boolean;

const CLAUSE =
  /^\s*(?<not>-)?(?<field>[a-z_]+)(?:\[(?:'(?<single>[^']*)'|"(?<double>[^"]*)")\])?\s*(?<operator>:|~|>=|<=|>|<)\s*(?:'(?<text>(?:[^'\\]|\\.)*)'|"(?<quoted>(?:[^"\\]|\\.)*)"|(?<bare>\d+|null))\s*/;
const CONNECTIVE = /^(AND|OR)\s+/i;

/**
 * Compiles Stripe's search query language (https://docs.stripe.com/search#search-query-language): clauses such as
 * `metadata['uid']:'x'`, `-email:"a@b.c"`, `name~"Ada"`, `created>1700000000`, joined by either AND or OR.
 * @param searchable the fields that may be searched
 */
export function compileSearch(query: string, searchable: readonly string[]): Predicate {
  const clauses: Predicate[] = [];
  const connectives = new Set<string>();
  let rest = query;
  for (;;) {
    const match = CLAUSE.exec(rest);
    if (!match?.groups)
      throw new InvalidParameter(`We were unable to parse your search query: ${query}`, 'query');
    clauses.push(clause(match.groups, searchable));
    rest = rest.slice(match[0].length);
    if (rest === '') break;
    const connective = CONNECTIVE.exec(rest);
    connectives.add(connective?.[1]?.toUpperCase() ?? 'AND');
    rest = rest.slice(connective?.[0].length ?? 0);
  }
  if (connectives.size > 1)
    throw new InvalidParameter('AND and OR cannot be combined in one query.', 'query');
  return connectives.has('OR')
    ? (row) => clauses.some((matches) => matches(row))
    : (row) => clauses.every((matches) => matches(row));
}

function clause(parts: Record<string, string | undefined>, searchable: readonly string[]): Predicate {
  const { not, field = '', operator = ':', bare } = parts;
  const key = parts.single ?? parts.double;
  if (!searchable.includes(field) || (field === 'metadata') !== (key !== undefined)) {
    throw new InvalidParameter(`Field \`${field}\` is an unsupported search field here.`, 'query');
  }
  const wanted = (parts.text ?? parts.quoted ?? bare ?? '').replace(/\\(.)/g, '$1');
  const read = (row: Searchable): unknown => (key === undefined ? row[field] : entry(row[field], key));
  const holds = compare(operator, bare === 'null' ? null : wanted);
  return (row) => holds(read(row)) === (not === undefined);
}

function entry(container: unknown, key: string): unknown {
  return typeof container === 'object' && container !== null && Object.hasOwn(container, key)
    ? new Map(Object.entries(container)).get(key)
    : null;
}

function compare(operator: string, wanted: string | null): (value: unknown) => boolean {
  switch (operator) {
    case ':':
      return (value) => (wanted === null ? value === null : value !== null && isSameText(value, wanted));
    case '~':
      return (value) =>
        typeof value === 'string' && value.toLowerCase().includes((wanted ?? '').toLowerCase());
    case '>':
      return (value) => Number(value) > Number(wanted);
    case '>=':
      return (value) => Number(value) >= Number(wanted);
    case '<':
      return (value) => Number(value) < Number(wanted);
    default:
      return (value) => Number(value) <= Number(wanted);
  }
}

/** Stripe ignores case also where it compares the whole text. */
function isSameText(value: unknown, wanted: string): boolean {
  return String(value).toLowerCase() === wanted.toLowerCase();
}

/** A page of search results, newest first; the page token is the number of results before it. */
export function searchPage(
  rows: readonly object[],
  { limit = 10, page = '0' }: { limit?: number | undefined; page?: string | undefined },
  url: string,
): object {
  if (!/^\d{1,9}$/.test(page)) throw new InvalidParameter('Invalid page', 'page');
  const start = Number(page);
  const data = rows.toReversed().slice(start, start + limit);
  const hasMore = rows.length > start + limit;
  return {
    object: 'search_result',
    data,
    has_more: hasMore,
    next_page: hasMore ? String(start + limit) : null,
    url,
  };
}
