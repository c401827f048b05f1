import { signal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

/** The state of data from elsewhere: of a listener or of a request. */
export type Live<Value> =
  | { state: 'loading' }
  | { state: 'ready'; value: Value }
  | { state: 'failed'; error: Error; /** Listens or asks again. */ retry: () => void };

/** Provides values, one or many. @returns a function that ends it */
type Start<Value> = (next: (value: Value) => void, fail: (error: unknown) => void) => () => void;

const LOADING = { state: 'loading' } as const;

/** A listener stays for this time after its last component is gone, so that the next page or tab finds its data. */
const KEPT_MS = 10_000;

/** Data that all components with the same key share. It is loaded while a component uses it. */
export class Source<Value> {
  readonly live: Signal<Live<Value>> = signal(LOADING);
  readonly #start: Start<Value>;
  readonly #keptMs: number;
  #users = 0;
  #end: (() => void) | undefined;

  constructor(start: Start<Value>, keptMs: number) {
    this.#start = start;
    this.#keptMs = keptMs;
  }

  /** @returns a function that ends the use */
  use(): () => void {
    this.#users += 1;
    if (this.#end === undefined) this.#begin();
    return () => {
      this.#users -= 1;
      // The next component tries again.
      if (this.#keptMs === 0 || this.live.peek().state === 'failed') this.#release();
      else
        setTimeout(() => {
          this.#release();
        }, this.#keptMs);
    };
  }

  /** Loads the data again. The old value is shown until the new one is there, and if loading fails. */
  refresh(): void {
    if (this.#end === undefined) return;
    this.#end();
    this.#begin({ keepsOld: this.live.peek().state === 'ready' });
  }

  #begin({ keepsOld = false } = {}): void {
    let isOver = false;
    let isOld = keepsOld;
    const stop = this.#start(
      (value) => {
        if (isOver) return;
        isOld = false;
        this.live.value = { state: 'ready', value };
      },
      (error) => {
        if (isOver || isOld) return;
        const retry = () => {
          this.#end?.();
          this.live.value = LOADING;
          this.#begin();
        };
        this.live.value = { state: 'failed', error: toError(error), retry };
      },
    );
    this.#end = () => {
      isOver = true;
      stop();
    };
  }

  #release(): void {
    if (this.#users > 0) return;
    this.#end?.();
    this.#end = undefined;
    this.live.value = LOADING;
  }
}

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** A source stays here after the last component has stopped using it. It is small then. */
const sources = new Map<string, Source<unknown>>();

function useSource<Value>(key: string | undefined, start: Start<Value>, keptMs: number): Live<Value> {
  const source = useMemo(() => {
    if (key === undefined) return undefined;
    const known = sources.get(key) as Source<Value> | undefined;
    if (known !== undefined) return known;
    const created = new Source(start, keptMs);
    sources.set(key, created);
    return created;
  }, [key]);
  useEffect(() => source?.use(), [source]);
  return source === undefined ? LOADING : source.live.value;
}

/**
 * Data that a listener keeps up to date while a component shows it.
 *
 * @param key identifies the listener; undefined listens to nothing
 */
export function useListener<Value>(key: string | undefined, start: Start<Value>): Live<Value> {
  return useSource(key, start, KEPT_MS);
}

/**
 * The answer to a request, which is sent when a component first shows it.
 *
 * @param key identifies the request; undefined sends nothing
 */
export function useRequest<Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
): Live<Value> {
  const start: Start<Value> = (next, fail) => {
    const controller = new AbortController();
    load(controller.signal).then(next, fail);
    return () => {
      controller.abort();
    };
  };
  return useSource(key, start, 0);
}

/** Sends a request again whose answer is shown. */
export function refresh(key: string): void {
  sources.get(key)?.refresh();
}

/** The value, if it is known. */
export function valueOf<Value>(live: Live<Value>): Value | undefined {
  return live.state === 'ready' ? live.value : undefined;
}
