import * as commits from './commits.ts';
import * as documents from './documents.ts';
import type { StreamingHandler, UnaryHandler } from './handler.ts';
import * as listings from './listings.ts';
import * as queries from './queries.ts';

// A handler's request type is that of its message, which the transport guarantees.

/** The methods of google.firestore.v1.Firestore that answer with one message. */
export const unaryMethods: Readonly<Record<string, UnaryHandler<never>>> = {
  BatchWrite: commits.batchWrite,
  BeginTransaction: commits.begin,
  Commit: commits.commit,
  CreateDocument: documents.createDocument,
  DeleteDocument: documents.deleteDocument,
  GetDocument: documents.getDocument,
  ListCollectionIds: listings.listCollectionIds,
  ListDocuments: listings.listDocuments,
  PartitionQuery: queries.partitionQuery,
  Rollback: commits.rollback,
  UpdateDocument: documents.updateDocument,
};

/** The methods that answer one message with a stream. Every method in neither table is UNIMPLEMENTED. */
export const streamingMethods: Readonly<Record<string, StreamingHandler<never>>> = {
  BatchGetDocuments: documents.batchGetDocuments,
  RunAggregationQuery: queries.runAggregationQuery,
  RunQuery: queries.runQuery,
};
