import { randomUUID } from 'node:crypto';
import { invalidArgument, unimplemented } from '../errors.ts';
import { parseDatabaseName } from '../model/paths.ts';
import type { WireWriteRequest } from '../wire/messages.ts';
import { commit } from './commits.ts';
import type { BidirectionalHandler, RequestContext, Requests, Responses } from './context.ts';

/** Opens a Write stream. */
export const writeStream: BidirectionalHandler<WireWriteRequest> = (context, responses) =>
  new WriteStream(context, responses);

/**
 * Commits writes one request after the other. The first request is a handshake; each further one is answered as a
 * Commit, in order, and a commit that fails ends the stream.
 */
class WriteStream implements Requests<WireWriteRequest> {
  readonly #context: RequestContext;
  readonly #responses: Responses;
  #database: string | undefined;
  #answered = 0;
  #cancelled = false;
  /** Resolves when every request so far is answered. */
  #queue: Promise<void> = Promise.resolve();

  constructor(context: RequestContext, responses: Responses) {
    this.#context = context;
    this.#responses = responses;
  }

  receive(request: WireWriteRequest): void {
    if (this.#database === undefined) {
      this.#shakeHands(request);
      return;
    }
    const { writes = [] } = request;
    const database = this.#database;
    this.#then(async () => {
      const result = await commit(this.#context, { database, writes });
      this.#responses.send({ ...result, streamToken: this.#nextToken() });
    });
  }

  end(): void {
    this.#then(() => {
      this.#responses.end();
    });
  }

  cancel(): void {
    this.#cancelled = true;
  }

  #shakeHands({ database = '', streamId = '', writes = [] }: WireWriteRequest): void {
    if (streamId !== '') throw unimplemented('Resuming a write stream');
    if (writes.length > 0) throw invalidArgument('The first request of a stream must not hold writes.');
    this.#database = parseDatabaseName(database);
    this.#responses.send({ streamId: randomUUID(), streamToken: this.#nextToken() });
  }

  #nextToken(): Buffer {
    return Buffer.from(String(this.#answered++));
  }

  /** Waiting writes are dropped when the stream ends. */
  #then(work: () => Promise<void> | void): void {
    this.#queue = this.#queue
      .then(() => (this.#cancelled ? undefined : work()))
      .catch((error: unknown) => {
        this.#responses.fail(error);
      });
  }
}
