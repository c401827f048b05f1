import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/grpc-js';

const IN_FLIGHT = 50;

export type Call = () => Promise<unknown>;

/** A client of one gRPC server whose calls are made as an administrator of the emulator. */
export class LoadClient {
  readonly #client: Client;
  readonly #metadata = new Metadata();

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
    });
    this.#metadata.set('authorization', 'Bearer owner');
  }

  unary<Request, Response>(method: MethodDefinition<Request, Response>, request: Request): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        this.#metadata,
        (error, response) => {
          if (error) reject(error);
          else resolve(response as Response);
        },
      );
    });
  }

  /** All messages of the answer. */
  stream<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
  ): Promise<Response[]> {
    return new Promise((resolve, reject) => {
      const messages: Response[] = [];
      this.#client
        .makeServerStreamRequest(
          method.path,
          method.requestSerialize,
          method.responseDeserialize,
          request,
          this.#metadata,
        )
        .on('data', (message: Response) => messages.push(message))
        .on('error', reject)
        .on('end', () => {
          resolve(messages);
        });
    });
  }

  close(): void {
    this.#client.close();
  }
}

/** Calls per second with a fixed number of them in flight. The first half second warms up and does not count. */
export async function ratePerSecond(call: Call, seconds: number): Promise<number> {
  await runFor(call, 500);
  const { calls, milliseconds } = await runFor(call, seconds * 1_000);
  return (calls * 1_000) / milliseconds;
}

async function runFor(call: Call, milliseconds: number): Promise<{ calls: number; milliseconds: number }> {
  const startedAt = performance.now();
  let calls = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - startedAt < milliseconds) {
      await call();
      calls++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return { calls, milliseconds: performance.now() - startedAt };
}
