import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Request, RequestHandler } from 'express';
import { Refusal, refusal } from '../refusals/refusals.ts';

/** The largest body of most routes. Their JSON is much smaller. */
export const MAX_JSON_BYTES = 64 * 1024;

/** Stripe's events rarely exceed 100 KB. */
export const MAX_EVENT_BYTES = 1024 * 1024;

/** The most bytes that a form may have in addition to its file. */
export const FORM_OVERHEAD_BYTES = 64 * 1024;

type BodyRequest = Request & { rawBody?: Buffer };

/** The headers by which the Functions Framework recognizes a body. We hide them, so that it reads no body. */
const HIDDEN_HEADERS = ['content-type', 'content-encoding'] as const;

type HiddenHeaders = Pick<IncomingMessage['headers'], (typeof HIDDEN_HEADERS)[number]>;

/**
 * The hidden headers of each request. They are not kept in `request.headers` under other names, because a client could
 * send these names.
 */
const hiddenHeaders = new WeakMap<IncomingMessage, HiddenHeaders>();

/**
 * Keeps the Functions Framework from reading bodies, in each request of this process. `receiveBody` reads them.
 *
 * The framework would inflate and parse bodies of up to 1 GB before the app sees the request. 0.7 MB of gzip would take
 * more memory than an instance has.
 *
 * https://nodejs.org/api/diagnostics_channel.html#http
 */
export function hideBodyHeadersOfAllRequests(): void {
  subscribe('http.server.request.start', (message) => {
    hideBodyHeaders((message as { request: IncomingMessage }).request);
  });
}

/** Without a content type the framework reads no body. `receiveBody` sets the headers again. */
export function hideBodyHeaders(request: IncomingMessage): void {
  const { headers } = request;
  hiddenHeaders.set(request, {
    'content-type': headers['content-type'],
    'content-encoding': headers['content-encoding'],
  });
  for (const name of HIDDEN_HEADERS) Reflect.deleteProperty(headers, name);
}

/**
 * Reads the body of a request into `rawBody`, at most `maxBytes`. If `expected` is `json`, also parses a JSON body into
 * `body`.
 *
 * If `expected` is `form`, JSON is not parsed: `maxBytes` is high for a form, and a parsed value can take many times
 * the memory of its text.
 */
export function receiveBody(maxBytes: number, expected: 'json' | 'form' = 'json'): RequestHandler {
  return async (request: BodyRequest, _response, next) => {
    restoreBodyHeaders(request);
    if (hasBody(request)) {
      requireNotEncoded(request);
      // The Functions Framework has set `rawBody` if `hideBodyHeadersOfAllRequests` was not called in this process.
      request.rawBody ??= await read(request, maxBytes);
      if (request.rawBody.length > maxBytes) throw tooLarge(maxBytes);
      const isExpectedJson = expected === 'json' && request.is('application/json') !== false;
      request.body = isExpectedJson ? parseJson(request.rawBody) : undefined;
    }
    next();
  };
}

/** Reads a body and keeps nothing of it, for a request whose body does not matter. */
export const skipBody: RequestHandler = async (request, _response, next) => {
  await discardBody(request);
  next();
};

/** Reads the rest of a body. A proxy may lose an answer that comes before the end of the request. */
export async function discardBody(request: IncomingMessage): Promise<void> {
  request.resume();
  // A client that closed the connection needs no answer.
  await finished(request, { writable: false }).catch(() => undefined);
}

function restoreBodyHeaders(request: IncomingMessage): void {
  const headers = hiddenHeaders.get(request);
  if (headers === undefined) return;
  hiddenHeaders.delete(request);
  for (const name of HIDDEN_HEADERS) {
    if (headers[name] !== undefined) request.headers[name] = headers[name];
  }
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function requireNotEncoded({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw refusal('body_encoded');
}

function read(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // If the client has left during an earlier guard, the request emits no event, and the promise would never settle.
  if (request.destroyed) throw refusal('body_incomplete');
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      reject(tooLarge(maxBytes));
    });
    request.once('end', () => {
      resolve(Buffer.concat(chunks));
    });
    for (const event of ['error', 'close']) {
      request.once(event, () => {
        reject(refusal('body_incomplete'));
      });
    }
  });
}

function tooLarge(maxBytes: number): Refusal {
  return refusal('payload_too_large', { size: maxBytes });
}

/**
 * JSON is UTF-8: https://www.rfc-editor.org/rfc/rfc8259#section-8.1
 *
 * A client may cut a text inside an emoji. Neither Firestore nor a URL can have the rest, a lone surrogate, so it
 * becomes U+FFFD, as in the texts of a form or a URL: https://webidl.spec.whatwg.org/#idl-USVString. Keys stay as they
 * are.
 */
function parseJson(body: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed() : value,
    ) as unknown;
  } catch {
    throw refusal('body_not_json');
  }
}
