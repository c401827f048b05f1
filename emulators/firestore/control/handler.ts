import type { IncomingMessage, RequestListener } from 'node:http';
import type { Ledger } from '../ledger.ts';
import type { Store } from '../store.ts';
import { ControlState, routes } from './routes.ts';
import type { ControlResponse } from './routes.ts';

export interface ControlOptions {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly rules: string | undefined;
}

/** Answers the HTTP/1.1 side of the port: the endpoints by which the Firebase CLI runs the emulator. */
export function createControlHandler({ store, ledger, rules }: ControlOptions): RequestListener {
  const state = new ControlState(store, ledger, rules);
  return (request, response) => {
    respond(state, request)
      .catch((error: unknown) => {
        console.error(error);
        return errorResponse(500, 'INTERNAL', 'Internal error in the Firestore emulator; see its log.');
      })
      .then(({ status, body }) => {
        const isText = typeof body === 'string';
        response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
        response.end(isText ? body : JSON.stringify(body));
      }, console.error);
  };
}

async function respond(state: ControlState, request: IncomingMessage): Promise<ControlResponse> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://emulator');
  for (const { method, pattern, handle } of routes) {
    const match = method === request.method ? pattern.exec(pathname) : null;
    if (!match) continue;
    const body = parseJson(await readBody(request));
    if (body === undefined)
      return errorResponse(400, 'INVALID_ARGUMENT', 'The request body is not valid JSON.');
    return handle(state, { params: match.slice(1).map(decodeURIComponent), query: searchParams, body });
  }
  const what = pathname.startsWith('/emulator/') ? 'This control endpoint' : 'REST and WebChannel access';
  return errorResponse(501, 'UNIMPLEMENTED', `${what} is not implemented in this emulator.`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Undefined for text that is no JSON; null for none. */
function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function errorResponse(code: number, status: string, message: string): ControlResponse {
  return { status: code, body: { error: { code, status, message } } };
}
