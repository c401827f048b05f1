import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { quantile } from './statistics.ts';

export interface Asked {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: object;
}

export interface Answer {
  status: number;
  body: string;
}

/** The rate and the times of one round of requests. */
export interface Round {
  perSecond: number;
  p50: number;
  p99: number;
}

/** A client of one server that keeps its connections. */
export class LoadClient {
  readonly #origin: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(origin: string) {
    this.#origin = origin;
  }

  send({ method = 'GET', path, headers = {}, body }: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const content = body === undefined ? undefined : JSON.stringify(body);
      const ofBody = content === undefined ? {} : { 'Content-Type': 'application/json' };
      const options = { method, agent: this.#agent, headers: { ...headers, ...ofBody } };
      const sent = request(`${this.#origin}${path}`, options, (response) => {
        text(response).then((answer) => {
          resolve({ status: response.statusCode ?? 0, body: answer });
        }, reject);
      });
      sent.once('error', reject);
      sent.end(content);
    });
  }

  /** @throws Error for an answer that is no success */
  async succeed(asked: Asked): Promise<string> {
    const { status, body } = await this.send(asked);
    if (status < 200 || status > 299) throw new Error(`${asked.path} answered ${status}: ${body}`);
    return body;
  }

  /** Runs operations, a number of them concurrently. */
  async measure(operations: readonly (() => Promise<unknown>)[], atOnce: number): Promise<Round> {
    const pending = operations.values();
    const times: number[] = [];
    const startedAt = performance.now();
    const work = async () => {
      for (const operation of pending) {
        const sentAt = performance.now();
        await operation();
        times.push(performance.now() - sentAt);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const seconds = (performance.now() - startedAt) / 1000;
    return { perSecond: operations.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  }

  close(): void {
    this.#agent.destroy();
  }
}
