import type { IncomingMessage, RequestListener } from 'node:http';
import { toStatusError, unimplemented } from '../errors.ts';
import { parseJson, readText } from '../http/body.ts';
import { errorBody } from '../http/status.ts';
import type { ControlResponse, ControlState } from './route.ts';
import { routes } from './routes.ts';

/** Answers the endpoints by which the Firebase CLI runs the emulator. */
export function createControlHandler(state: ControlState): RequestListener {
  return (request, response) => {
    respond(state, request)
      .catch((error: unknown) => {
        const body = errorBody(toStatusError(error));
        return { status: body.error.code, body } satisfies ControlResponse;
      })
      .then(({ status, body, contentType = 'text/plain' }: ControlResponse) => {
        const isText = typeof body === 'string';
        response.writeHead(status, { 'content-type': isText ? contentType : 'application/json' });
        response.end(isText ? body : JSON.stringify(body));
      }, console.error);
  };
}

async function respond(state: ControlState, request: IncomingMessage): Promise<ControlResponse> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://emulator');
  for (const { method, pattern, handle } of routes) {
    const match = method === request.method ? pattern.exec(pathname) : null;
    if (!match) continue;
    const body = parseJson(await readText(request));
    return handle(state, { params: match.slice(1).map(decodeURIComponent), query: searchParams, body });
  }
  throw unimplemented(`The endpoint ${request.method ?? ''} ${pathname}`);
}
