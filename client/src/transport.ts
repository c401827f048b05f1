import { refusal, unreachable } from './error.ts';
import type { AnswerOf, Carried, Method, OperationOf, PathOf } from './types.ts';

export interface ClientOptions {
  /** Origin of the backend; of the page itself by default. */
  baseUrl?: string;
  /**
   * Gives the ID token of who is signed in, such as `() => auth.currentUser?.getIdToken()`. Without it the browser's
   * session cookie speaks for them.
   */
  idToken?: () => Promise<string | undefined> | undefined;
  /** How often what may be repeated is sent again after a 503; 2 by default. */
  retries?: number;
  /** Gives the App Check token, such as `async () => (await getToken(appCheck)).token`, where the backend asks for it. */
  appCheckToken?: () => Promise<string | undefined>;
  fetch?: typeof fetch;
}

/** No longer than this is waited for another try, whatever `Retry-After` says. */
const MAX_WAIT_SECONDS = 10;

/** Sent twice they do what they do once. */
const REPEATABLE: readonly Method[] = ['get', 'delete'];

/** Sends typed requests: which path takes what and answers what is known from the OpenAPI document. */
export class Transport {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** An address of the backend, with parameters filled in; those that are undefined are left out. */
  url(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const search = new URLSearchParams(given).toString();
    return `${this.#options.baseUrl ?? ownOrigin()}${path}${search === '' ? '' : `?${search}`}`;
  }

  /** @throws HearthError when it is refused or no answer comes; the signal's reason when it is aborted */
  async request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    carried: Carried<OperationOf<M, P>>,
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
    const retries = REPEATABLE.includes(method) ? (this.#options.retries ?? 2) : 0;
    return (await this.#send(url, init, headers, retries)) as AnswerOf<OperationOf<M, P>>;
  }

  /** Sends a form, once. */
  async sendForm(
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    form: FormData,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const init = { method: 'POST', body: form, ...(signal !== undefined && { signal }) };
    return this.#send(this.url(path, query), init, {}, 0);
  }

  /** Headers that say who asks, and by which app. */
  async credentials(): Promise<Record<string, string>> {
    const { idToken, appCheckToken } = this.#options;
    const [user, app] = await Promise.all([idToken?.(), appCheckToken?.()]);
    return {
      ...(user !== undefined && { Authorization: `Bearer ${user}` }),
      ...(app !== undefined && { 'X-Firebase-AppCheck': app }),
    };
  }

  async #send(
    url: string,
    init: RequestInit,
    headers: Record<string, string>,
    retries: number,
  ): Promise<unknown> {
    const response = await this.#reach(url, {
      ...init,
      headers: { Accept: 'application/json', ...headers, ...(await this.credentials()) },
    });
    const answer = await readJson(response, init.signal);
    if (response.ok) return answer;
    const error = refusal(response.status, (name) => response.headers.get(name), answer);
    if (error.status !== 503 || retries === 0) throw error;
    await pause(error.retryAfter ?? 1, init.signal ?? undefined);
    return this.#send(url, init, headers, retries - 1);
  }

  /** `fetch` throws where no answer came, and where the call is given up. */
  async #reach(url: string, init: RequestInit): Promise<Response> {
    const { fetch = globalThis.fetch } = this.#options;
    try {
      return await fetch(url, init);
    } catch (error) {
      init.signal?.throwIfAborted();
      throw unreachable(error);
    }
  }
}

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
    signal?.throwIfAborted();
    throw unreachable(error);
  }
}

/** @throws the signal's reason when it is aborted meanwhile */
function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(seconds, MAX_WAIT_SECONDS) * 1000);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
