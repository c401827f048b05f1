import { isUnauthenticated } from '../error.ts';

/** The state of something that is read from the backend. */
export type Answer<Data> =
  | { status: 'loading'; data: undefined; error: undefined }
  | { status: 'ready'; data: Data; error: undefined }
  /**
   * `data` is the last answer, if there was one. An error 401 discards it: its user may have signed out. The error is a
   * `HearthError` unless the program is wrong.
   */
  | { status: 'failed'; data: Data | undefined; error: Error };

export const LOADING = { status: 'loading', data: undefined, error: undefined } as const;

/** One answer that all components share. It is requested when the first component subscribes. */
export class SharedAnswer<Data> {
  #answer: Answer<Data> = LOADING;
  #request: AbortController | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #read: (signal: AbortSignal) => Promise<Data>;
  readonly #mayRead: () => boolean;

  /** @param mayRead false while the user is unknown */
  constructor(read: (signal: AbortSignal) => Promise<Data>, mayRead: () => boolean) {
    this.#read = read;
    this.#mayRead = mayRead;
  }

  readonly get = (): Answer<Data> => this.#answer;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    // StrictMode subscribes twice. The request goes on in between.
    if (this.#listeners.size === 1 && this.#request === undefined) void this.reload();
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Requests it again. The last answer stays until the new one is there. Never rejects. */
  readonly reload = async (): Promise<void> => {
    if (!this.#mayRead()) return;
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    const answer = await this.#ask(request.signal);
    if (request.signal.aborted) return;
    this.#request = undefined;
    this.#change(answer);
  };

  /** Replaces the answer without a request. */
  set(data: Data): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#change({ status: 'ready', data, error: undefined });
  }

  /** Discards the answer, which belongs to another user. */
  reset(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#change(LOADING);
    if (this.#listeners.size > 0) void this.reload();
  }

  async #ask(signal: AbortSignal): Promise<Answer<Data>> {
    try {
      return { status: 'ready', data: await this.#read(signal), error: undefined };
    } catch (error) {
      // The last answer may belong to a user who has signed out.
      const data = isUnauthenticated(error) ? undefined : this.#answer.data;
      return { status: 'failed', data, error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  #change(answer: Answer<Data>): void {
    this.#answer = answer;
    for (const listener of this.#listeners) listener();
  }
}
