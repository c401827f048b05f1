import { Client, credentials, Metadata } from '@grpc/grpc-js';

const IN_FLIGHT = 50;

/** Before the count begins. */
export const WARM_UP_SECONDS = 0.5;

interface Method<Request> {
  readonly path: string;
  readonly requestSerialize: (request: Request) => Buffer;
}

export interface OpenStream {
  count(): number;
  end(): void;
}

export type Call = () => Promise<unknown>;

/**
 * A client of one gRPC server whose calls are made as an administrator of the emulator. It leaves responses as the
 * bytes they are, so that it is the server that is measured.
 */
export class LoadClient {
  readonly #client: Client;
  readonly #metadata = new Metadata();

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
    });
    this.#metadata.set('authorization', 'Bearer owner');
  }

  unary<Request>(method: Method<Request>, request: Request): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        asBytes,
        request,
        this.#metadata,
        (error, response) => {
          if (error) reject(error);
          else resolve(response ?? Buffer.alloc(0));
        },
      );
    });
  }

  /** All messages of the answer. */
  stream<Request>(method: Method<Request>, request: Request): Promise<Buffer[]> {
    return new Promise((resolve, reject) => {
      const messages: Buffer[] = [];
      this.#client
        .makeServerStreamRequest(method.path, method.requestSerialize, asBytes, request, this.#metadata)
        .on('data', (message: Buffer) => messages.push(message))
        .on('error', reject)
        .on('end', () => {
          resolve(messages);
        });
    });
  }

  /** Opens a stream with one request and counts its messages until it is ended. */
  open<Request>(method: Method<Request>, request: Request): OpenStream {
    const call = this.#client.makeBidiStreamRequest(
      method.path,
      method.requestSerialize,
      asBytes,
      this.#metadata,
    );
    let messages = 0;
    call.on('data', () => messages++);
    call.on('error', () => undefined);
    call.write(request);
    return {
      count: () => messages,
      end: () => {
        call.cancel();
      },
    };
  }

  close(): void {
    this.#client.close();
  }
}

const asBytes = (bytes: Buffer): Buffer => bytes;

/** Calls per second with a fixed number of them in flight, after a warm-up. */
export async function ratePerSecond(call: Call, seconds: number): Promise<number> {
  await runFor(call, WARM_UP_SECONDS * 1_000);
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
