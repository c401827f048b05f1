import { reasonOf, throwIfAborted, untilAborted } from './aborting.ts';
import { isNetworkFailure, refusal, unreachable } from './error.ts';
import { requireSameSender, type Sender } from './sender.ts';
import type { AnswerOf, Carried, Method, OperationOf, PathOf } from './types.ts';

export interface ClientOptions {
  /** Origin of the backend; of the page itself by default. */
  baseUrl?: string;
  /**
   * Gets the ID token of the signed-in user, such as `() => auth.currentUser?.getIdToken()`. Without it the browser's
   * session cookie identifies the user.
   */
  idToken?: () => Promise<string | undefined> | undefined;
  /** The number of retries of an idempotent request after a 503; 2 by default. */
  retries?: number;
  /** Gets the App Check token, such as `async () => (await getToken(appCheck)).token`, if the backend requires it. */
  appCheckToken?: () => Promise<string | undefined>;
  fetch?: typeof fetch;
}

/** The longest wait before a retry, also if `Retry-After` is longer. */
const MAX_WAIT_SECONDS = 10;

/** The idempotent methods. */
const REPEATABLE: readonly Method[] = ['get', 'delete'];

/** The paths whose deletion depends on the caller alone. */
const OF_CALLER: readonly string[] = ['/api/auth/user', '/api/auth/session'] satisfies PathOf<'delete'>[];

/** Sends typed requests. The types of each path are from the OpenAPI document. */
export class Transport {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** A URL of the backend with its parameters. Undefined ones are left out. */
  url(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    // `URLSearchParams` of React Native up to 0.79 reads an array of pairs as an object.
    const search = given.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
    return `${this.#options.baseUrl ?? ownOrigin()}${path}${search === '' ? '' : `?${search}`}`;
  }

  /**
   * @param sender the same for all requests of one action
   * @throws HearthError if it is refused, no answer comes, or a retry would have another user; the signal's reason if
   *   it is aborted
   */
  async request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    carried: Carried<OperationOf<M, P>>,
    sender: Sender = {},
  ): Promise<AnswerOf<OperationOf<M, P>>> {
    const { body, query, signal } = carried;
    const filled = fillIn(path, carried.path);
    const init: RequestInit = {
      method: method.toUpperCase(),
      ...(signal !== undefined && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const headers = { ...(body !== undefined && { 'Content-Type': 'application/json' }) };
    const url = this.url(filled, query);
    const retries = this.#isRepeatable(method, path) ? (this.#options.retries ?? 2) : 0;
    return (await this.#send(url, init, headers, { retries, sender })) as AnswerOf<OperationOf<M, P>>;
  }

  /** Nobody can tell whose the session cookie is at a retry. It must not delete or sign out another account. */
  #isRepeatable(method: Method, path: string): boolean {
    const mayBeOfAnother = OF_CALLER.includes(path) && this.#options.idToken === undefined;
    return REPEATABLE.includes(method) && !(method === 'delete' && mayBeOfAnother);
  }

  /** Sends a form, once. */
  async sendForm(
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    form: FormData,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const init = { method: 'POST', body: form, ...(signal !== undefined && { signal }) };
    return this.#send(this.url(path, query), init, {}, { retries: 0, sender: {} });
  }

  /**
   * Headers with the tokens of the user and of the app.
   *
   * @throws HearthError if a token cannot be renewed without a network; the signal's reason if it is aborted
   */
  async credentials(signal: RequestInit['signal']): Promise<Record<string, string>> {
    return headersOf(await this.#tokens(signal));
  }

  async #tokens(signal: RequestInit['signal']): Promise<[user: string | undefined, app: string | undefined]> {
    const { idToken, appCheckToken } = this.#options;
    throwIfAborted(signal);
    try {
      return await untilAborted(Promise.all([idToken?.(), appCheckToken?.()]), signal);
    } catch (error) {
      throw isNetworkFailure(error) ? unreachable(error) : error;
    }
  }

  async #send(
    url: string,
    init: RequestInit,
    headers: Record<string, string>,
    { retries, sender }: { retries: number; sender: Sender },
  ): Promise<unknown> {
    const tokens = await this.#tokens(init.signal);
    requireSameSender(sender, tokens[0], init.method);
    const response = await this.#reach(url, {
      ...init,
      headers: { Accept: 'application/json', ...headers, ...headersOf(tokens) },
    });
    const answer = await readJson(response, init.signal);
    // A page of a proxy, or of another server behind a wrong `baseUrl`, may have the status 200.
    const isFromApi = answer !== undefined || response.status === NO_CONTENT;
    if (response.ok && isFromApi) return answer;
    const error = refusal(response.status, (name) => response.headers.get(name), answer);
    if (error.status !== 503 || retries === 0) throw error;
    await pause(error.retryAfter ?? 1, init.signal ?? undefined);
    return this.#send(url, init, headers, { retries: retries - 1, sender });
  }

  /** `fetch` throws if no answer came, and if the call was aborted. */
  async #reach(url: string, init: RequestInit): Promise<Response> {
    const { fetch = globalThis.fetch } = this.#options;
    try {
      return await fetch(url, init);
    } catch (error) {
      throwIfAborted(init.signal);
      throw unreachable(error);
    }
  }
}

function headersOf([user, app]: [user: string | undefined, app: string | undefined]): Record<string, string> {
  return {
    ...(user !== undefined && { Authorization: `Bearer ${user}` }),
    ...(app !== undefined && { 'X-Firebase-AppCheck': app }),
  };
}

/** The status of an answer without a body. Every other answer has JSON. */
const NO_CONTENT = 204;

/** The origin of the page, so that URLs are absolute and can be shared. Programs have none. */
const ownOrigin = (): string => (typeof location === 'undefined' ? '' : location.origin);

function fillIn(path: string, values: Readonly<Record<string, string>> | undefined): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(values?.[name] ?? ''));
}

async function readJson(response: Response, signal: RequestInit['signal']): Promise<unknown> {
  if (!(response.headers.get('Content-Type') ?? '').includes('application/json')) return undefined;
  try {
    return (await response.json()) as unknown;
  } catch (error) {
    // The connection ended in the middle of the answer.
    throwIfAborted(signal);
    throw unreachable(error);
  }
}

/** @throws the signal's reason if it is aborted meanwhile */
function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  throwIfAborted(signal);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(seconds, MAX_WAIT_SECONDS) * 1000);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(reasonOf(signal));
      },
      { once: true },
    );
  });
}
