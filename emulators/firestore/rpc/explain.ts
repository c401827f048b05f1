import { permissionDenied } from '../errors.ts';
import type { FieldPath } from '../model/field-path.ts';
import { usedIndexes } from '../query/indexes/explain.ts';
import type { Query } from '../query/query.ts';
import { encodeStruct } from '../wire/struct.ts';
import type { RequestContext } from './context.ts';

export interface ExplainOptions {
  /** Whether the query is run, too. */
  readonly analyze?: boolean;
}

/** The counts of an execution. */
export interface Execution {
  /** Documents, or aggregation results. */
  readonly results: number;
  /** Documents that the query matched before its offset. */
  readonly matches: number;
  /** Billed reads. */
  readonly reads: number;
  readonly isAggregation: boolean;
  /** Milliseconds. */
  readonly duration: number;
}

/** Throws PERMISSION_DENIED if an end user asks for an explanation. */
export function assertExplainable({ guard }: RequestContext, options: ExplainOptions | undefined): void {
  if (options && guard) throw permissionDenied('Only administrators may explain queries.');
}

/** The message with the plan of a query and, after an execution, its counts. */
export function explainMessage(
  query: Query,
  aggregated: readonly FieldPath[],
  execution?: Execution,
): object {
  const indexesUsed = usedIndexes(query, aggregated).map((index) => encodeStruct({ ...index }));
  return {
    explainMetrics: {
      planSummary: { indexesUsed },
      ...(execution && { executionStats: executionStats(execution) }),
    },
  };
}

function executionStats({ results, matches, reads, isAggregation, duration }: Execution): object {
  const documents = isAggregation ? 0 : matches;
  return {
    resultsReturned: String(results),
    executionDuration: {
      seconds: String(Math.floor(duration / 1_000)),
      nanos: Math.round((duration % 1_000) * 1e6),
    },
    readOperations: String(reads),
    debugStats: encodeStruct({
      index_entries_scanned: String(matches),
      documents_scanned: String(documents),
      billing_details: {
        documents_billable: String(documents),
        index_entries_billable: isAggregation ? String(matches) : '0',
        min_query_cost: matches === 0 ? '1' : '0',
      },
    }),
  };
}
