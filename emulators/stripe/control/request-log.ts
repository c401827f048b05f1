/** A request to the API, as a test wants to count it. */
export interface LoggedRequest {
  method: string;
  /** The path with `:id` in it. */
  route: string;
  path: string;
  /** The idempotency key, if any. */
  key: string | null;
  /** Missing while the request is in progress, and when its connection was dropped. */
  status?: number;
}

const KEPT = 1000;

/** Counts every request to the API, and keeps the last thousand. */
export class RequestLog {
  readonly #counts = new Map<string, number>();
  readonly #recent: LoggedRequest[] = [];

  add(request: LoggedRequest): LoggedRequest {
    const name = `${request.method} ${request.route}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#recent.push(request);
    if (this.#recent.length > KEPT) this.#recent.shift();
    return request;
  }

  clear(): void {
    this.#counts.clear();
    this.#recent.length = 0;
  }

  report(): { total: number; counts: Record<string, number>; recent: readonly LoggedRequest[] } {
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    return { total, counts: Object.fromEntries(this.#counts), recent: this.#recent };
  }
}
