import { setTimeout } from 'node:timers/promises';

/** An answer of a Google API that is no success. */
export class GoogleError extends Error {
  readonly status: number;
  /** The API that must be enabled first, such as `run.googleapis.com`. Undefined if that is not the reason. */
  readonly disabledService: string | undefined;

  constructor(status: number, message: string, disabledService?: string) {
    super(message);
    this.status = status;
    this.disabledService = disabledService;
  }
}

export interface GoogleOptions {
  /** Google charges quotas to this project. Calls with a person's credentials are refused without one. */
  projectId: string;
  /** An access token of the operator. */
  token: () => Promise<string>;
  /** Replaces the origin of each API, such as `https://iam.googleapis.com`. Tests answer there. */
  originOf?: (host: string) => string;
  /** Waits so many milliseconds. Tests do not wait. */
  pause?: (milliseconds: number) => Promise<unknown>;
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
  /** Calls of these APIs wait until Google knows that they are enabled, which takes up to some minutes. */
  expectEnabled: (services: readonly string[]) => void;
}

/** https://google.aip.dev/151 */
export interface Operation {
  name?: string;
  done?: boolean;
  error?: { message?: string };
}

const POLL_MS = 2000;

/** Five minutes for each API. */
const ENABLING = { pauseMs: 10_000, mostPauses: 30 };

interface ErrorAnswer {
  error?: {
    message?: string;
    /** The older form, which Cloud Storage has. */
    errors?: { reason?: string }[];
    /** https://cloud.google.com/apis/design/errors#error_info */
    details?: { reason?: string; metadata?: { service?: string } }[];
  };
}

/** The error of an answer. `host` is the API that answered. */
function errorOf(status: number, { error }: ErrorAnswer, host: string): GoogleError {
  const info = error?.details?.find(({ reason }) => reason === 'SERVICE_DISABLED');
  const isDisabled = info !== undefined || error?.errors?.[0]?.reason === 'accessNotConfigured';
  const message = error?.message ?? `${host} answers ${status}`;
  return new GoogleError(status, message, isDisabled ? (info?.metadata?.service ?? host) : undefined);
}

export function createGoogle(options: GoogleOptions): Google {
  const { pause = (milliseconds: number) => setTimeout(milliseconds) } = options;
  /** How often calls may still wait for an API that was enabled a moment ago. */
  const pausesLeft = new Map<string, number>();

  const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    for (;;) {
      try {
        return (await callOnce(options, { method, path, body })) as Answer;
      } catch (error) {
        const service = error instanceof GoogleError ? error.disabledService : undefined;
        const left = pausesLeft.get(service ?? '') ?? 0;
        if (service === undefined || left === 0) throw error;
        pausesLeft.set(service, left - 1);
        await pause(ENABLING.pauseMs);
      }
    }
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
        await pause(POLL_MS);
        current = await call<Operation>('GET', `${api}/${current.name}`);
      }
      if (current.error !== undefined) throw new Error(current.error.message ?? 'The operation failed.');
    },
    expectEnabled: (services) => {
      for (const service of services) pausesLeft.set(service, ENABLING.mostPauses);
    },
  };
}

async function callOnce(
  { projectId, token, originOf = httpsOf }: GoogleOptions,
  { method, path, body }: { method: string; path: string; body: object | undefined },
): Promise<unknown> {
  const slash = path.indexOf('/');
  const host = path.slice(0, slash);
  const response = await fetch(`${originOf(host)}${path.slice(slash)}`, {
    method,
    headers: {
      Authorization: `Bearer ${await token()}`,
      'Content-Type': 'application/json',
      'X-Goog-User-Project': projectId,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw errorOf(response.status, answer as ErrorAnswer, host);
  return answer;
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
