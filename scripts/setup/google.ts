import { setTimeout as pause } from 'node:timers/promises';

/** An answer of a Google API that is no success. */
export class GoogleError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface GoogleOptions {
  /** Google charges quotas to this project. Calls with a person's credentials are refused without one. */
  projectId: string;
  /** An access token of the operator. */
  token: () => Promise<string>;
  /** Replaces the origin of each API, such as `https://iam.googleapis.com`. Tests answer there. */
  originOf?: (host: string) => string;
  /** Milliseconds between two looks at an operation that takes a while. */
  pollMs?: number;
}

/** Calls of Google's management APIs. A path begins with the host: `iam.googleapis.com/v1/projects/…`. */
export interface Google {
  get: <Answer>(path: string) => Promise<Answer>;
  post: <Answer>(path: string, body: object) => Promise<Answer>;
  patch: <Answer>(path: string, body: object) => Promise<Answer>;
  /** All items of a list, from all of its pages. */
  list: <Item>(path: string, key: string) => Promise<Item[]>;
  /** Waits until a long-running operation is done. The operation is at `{api}/{operation.name}`. */
  finish: (api: string, operation: Operation) => Promise<void>;
}

/** https://google.aip.dev/151 */
export interface Operation {
  name?: string;
  done?: boolean;
  error?: { message?: string };
}

const POLL_MS = 2000;

export function createGoogle({
  projectId,
  token,
  originOf = httpsOf,
  pollMs = POLL_MS,
}: GoogleOptions): Google {
  const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const slash = path.indexOf('/');
    const response = await fetch(`${originOf(path.slice(0, slash))}${path.slice(slash)}`, {
      method,
      headers: {
        Authorization: `Bearer ${await token()}`,
        'Content-Type': 'application/json',
        'X-Goog-User-Project': projectId,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
    if (!response.ok) {
      throw new GoogleError(response.status, answer.error?.message ?? `${path} answers ${response.status}`);
    }
    return answer as Answer;
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    list: async <Item>(path: string, key: string) => {
      const items: Item[] = [];
      let pageToken: string | undefined;
      do {
        const query =
          pageToken === undefined ? '' : `${path.includes('?') ? '&' : '?'}pageToken=${pageToken}`;
        const page = await call<Record<string, unknown>>('GET', `${path}${query}`);
        items.push(...((page[key] as Item[] | undefined) ?? []));
        pageToken = page['nextPageToken'] as string | undefined;
      } while (pageToken !== undefined && pageToken !== '');
      return items;
    },
    finish: async (api, operation) => {
      let current = operation;
      while (current.name !== undefined && current.done !== true) {
        await pause(pollMs);
        current = await call<Operation>('GET', `${api}/${current.name}`);
      }
      if (current.error !== undefined) throw new Error(current.error.message ?? 'The operation failed.');
    },
  };
}

const httpsOf = (host: string) => `https://${host}`;

/** The answer of a call, or undefined if Google has no such object. */
export async function unlessMissing<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof GoogleError && error.status === 404) return undefined;
    throw error;
  }
}
