import { toStatusError, unimplemented } from '../errors.ts';
import { listen } from '../listen/listen-stream.ts';
import * as commits from './commits.ts';
import type {
  BidirectionalHandler,
  RequestContext,
  Requests,
  Responses,
  StreamingHandler,
  UnaryHandler,
} from './context.ts';
import * as documents from './documents.ts';
import * as listings from './listings.ts';
import { executePipeline } from './pipelines.ts';
import * as queries from './queries.ts';
import { writeStream } from './write-stream.ts';

// The methods of google.firestore.v1.Firestore, which every transport calls by name. A request has the shape of the
// method's message, which the transport guarantees. A method that no table has is UNIMPLEMENTED.

const unaryMethods: Readonly<Record<string, UnaryHandler<never>>> = {
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

const streamingMethods: Readonly<Record<string, StreamingHandler<never>>> = {
  BatchGetDocuments: documents.batchGetDocuments,
  ExecutePipeline: executePipeline,
  RunAggregationQuery: queries.runAggregationQuery,
  RunQuery: queries.runQuery,
};

const bidirectionalMethods: Readonly<Record<string, BidirectionalHandler<never>>> = {
  Listen: listen,
  Write: writeStream,
};

/** Calls a method that answers with one message. Rejects with the StatusError to answer. */
export async function callUnary(context: RequestContext, method: string, request: unknown): Promise<object> {
  const handler = unaryMethods[method];
  if (!handler) throw unimplemented(method);
  return handler(context, request as never);
}

/** Calls a method that answers one message with a stream. Rejects with the StatusError to answer. */
export async function callStreaming(
  context: RequestContext,
  method: string,
  request: unknown,
): Promise<Iterable<object>> {
  const handler = streamingMethods[method];
  if (!handler) throw unimplemented(method);
  return handler(context, request as never);
}

/**
 * Opens a Listen or Write stream. The stream ends once: `responses` gets one `end` or `fail`, and nothing after that or
 * after `cancel`.
 */
export function openStream(context: RequestContext, method: string, responses: Responses): Requests<unknown> {
  const handler = bidirectionalMethods[method];
  if (!handler) throw unimplemented(method);
  let open = true;
  const close = (then: () => void): void => {
    if (!open) return;
    open = false;
    stream.cancel();
    then();
  };
  const fail = (error: unknown): void => {
    close(() => {
      responses.fail(toStatusError(error));
    });
  };
  const stream: Requests<never> = handler(context, {
    send: (message) => {
      if (open) responses.send(message);
    },
    end: () => {
      close(() => {
        responses.end();
      });
    },
    fail,
  });
  return {
    receive: (message) => {
      if (!open) return;
      try {
        stream.receive(message as never);
      } catch (error) {
        fail(error);
      }
    },
    end: () => {
      if (open) stream.end();
    },
    cancel: () => {
      close(() => undefined);
    },
  };
}
