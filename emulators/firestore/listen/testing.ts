import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';
import type { FirestoreServer } from '../server.ts';
import { DATABASE } from '../testing.ts';
import { loadServiceDefinition } from '../wire/schema.ts';

/** A message of a stream as the client's library gives it. */
export type Message = Record<string, unknown>;

/** A Listen or Write stream without an SDK around it. */
export class RawStream {
  readonly #call: ClientDuplexStream<object, Message>;
  readonly #received: Message[] = [];
  #wake: () => void = () => undefined;
  #error: ServiceError | undefined;

  constructor({ host, port }: FirestoreServer, method: 'Listen' | 'Write', token = 'owner') {
    const definition = loadServiceDefinition()[method];
    if (!definition) throw new Error(`There is no method ${method}.`);
    const client = new Client(`${host}:${port}`, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${token}`);
    const { path, requestSerialize, responseDeserialize } = definition;
    this.#call = client.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize as (bytes: Buffer) => Message,
      metadata,
    );
    this.#call.on('data', (message: Message) => {
      this.#received.push(message);
      this.#wake();
    });
    this.#call.on('error', (error: ServiceError) => {
      this.#error = error;
      this.#wake();
    });
    onTestFinished(() => {
      this.#call.cancel();
      client.close();
    });
  }

  send(request: object): void {
    this.#call.write({ database: DATABASE, ...request });
  }

  /** The messages up to the first that matches. Rejects with the stream's error. */
  async until(matches: (message: Message) => boolean): Promise<Message[]> {
    for (;;) {
      const end = this.#received.findIndex(matches);
      if (end >= 0) return this.#received.splice(0, end + 1);
      if (this.#error) throw this.#error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The messages that make up the next snapshot. */
  snapshot(): Promise<Message[]> {
    return this.until((message) => kindOf(message) === 'NO_CHANGE');
  }
}

interface TargetChange {
  readonly targetChangeType: string;
  readonly targetIds?: readonly number[];
  readonly resumeToken?: Buffer;
}

const targetChangeOf = (message: Message): TargetChange | undefined =>
  message['targetChange'] as TargetChange | undefined;

/** The kind of a ListenResponse: of its target change, or the field that is set. */
export const kindOf = (message: Message): string =>
  targetChangeOf(message)?.targetChangeType ?? Object.keys(message)[0] ?? '';

/** A short form of ListenResponses: kind, targets or document, such as `documentChange c/1 in 1`. */
export const summaryOf = (messages: readonly Message[]): string[] =>
  messages.map((message) => {
    const kind = kindOf(message);
    const change = targetChangeOf(message);
    if (change) return [kind, ...(change.targetIds ?? [])].join(' ');
    const body = Object.values(message)[0] as {
      document?: string | { name: string };
      targetIds?: number[];
      removedTargetIds?: number[];
      count?: number;
    };
    if (body.count !== undefined) return `${kind} ${body.count}`;
    const name = typeof body.document === 'string' ? body.document : (body.document?.name ?? '');
    const inside = body.targetIds?.length ? ` in ${body.targetIds.join()}` : '';
    const outside = body.removedTargetIds?.length ? ` out of ${body.removedTargetIds.join()}` : '';
    return `${kind} ${name.replace(/.*\/documents\//, '')}${inside}${outside}`;
  });

export const resumeTokenOf = (messages: readonly Message[]): Buffer =>
  messages.map(targetChangeOf).findLast((change) => change?.resumeToken?.length)?.resumeToken ??
  Buffer.alloc(0);
