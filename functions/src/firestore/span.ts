import { endWith, traced, type ActiveSpan, type SpanDescription } from '../common/span.ts';

type Operation =
  | 'get'
  | 'query'
  | 'count'
  | 'sum'
  | 'create'
  | 'set'
  | 'update'
  | 'delete'
  | 'commit'
  | 'transaction'
  | 'snapshot';

/**
 * Records reads or writes of Firestore as a span with the name of the collection. Ids and values are left out.
 *
 * @param collection undefined for several collections
 */
export function tracedInFirestore<Result>(
  operation: Operation,
  collection: string | undefined,
  work: (span?: ActiveSpan) => Promise<Result>,
): Promise<Result> {
  return traced(() => describe(operation, collection), work);
}

/** Runs the body of a transaction once. */
type Attempt = <Result>(body: () => Promise<Result>) => Promise<Result>;

/**
 * Records a transaction. The commit of each attempt is a child span. It lasts from the end of the body to the next
 * attempt, or to the end of the transaction.
 */
export function tracedTransaction<Result>(work: (attempt: Attempt) => Promise<Result>): Promise<Result> {
  return tracedInFirestore('transaction', undefined, async (span) => {
    if (span === undefined) return work((body) => body());
    let commit: ActiveSpan | undefined;
    const attempt: Attempt = async (body) => {
      commit?.fail('conflict');
      commit?.end();
      commit = undefined;
      const result = await body();
      commit = span.startChild(describe('commit'));
      return result;
    };
    try {
      const result = await work(attempt);
      commit?.end();
      return result;
    } catch (error) {
      if (commit !== undefined) endWith(commit, error);
      throw error;
    }
  });
}

function describe(operation: Operation, collection?: string): SpanDescription {
  return {
    name: collection === undefined ? operation : `${operation} ${collection}`,
    kind: 'client',
    attributes: {
      'db.system.name': 'firestore',
      'db.operation.name': operation,
      ...(collection !== undefined && { 'db.collection.name': collection }),
    },
  };
}
