import type { IncomingMessage, RequestListener } from 'node:http';
import { invalidArgument, notFound, toStatusError } from '../errors.ts';
import { parseJson, readText } from '../http/body.ts';
import { errorBody } from '../http/status.ts';
import { callStreaming, callUnary } from '../rpc/calls.ts';
import { requestContext } from '../rpc/context.ts';
import type { RpcContext } from '../rpc/context.ts';
import { encodeJson } from '../wire/encode-json.ts';
import { messageTypes, serviceDescriptor } from '../wire/schema.ts';
import { buildRequest } from './request.ts';
import { matchRoute, restRoutes } from './routes.ts';
import type { MatchedRoute, RestRoute } from './routes.ts';

interface JsonResponse {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Serves the methods as JSON over HTTP, at the paths of their google.api.http annotations. The messages of a
 * streaming method are one JSON array, and so is its error.
 */
export function createRestHandler(context: RpcContext): RequestListener {
  let routes: readonly RestRoute[] | undefined;
  return (request, response) => {
    routes ??= restRoutes(serviceDescriptor());
    answer(context, routes, request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
      response.end(JSON.stringify(body));
    }, console.error);
  };
}

async function answer(
  context: RpcContext,
  routes: readonly RestRoute[],
  request: IncomingMessage,
): Promise<JsonResponse> {
  let streams = false;
  try {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://emulator');
    const matched = find(routes, request.method ?? '', pathname);
    streams = matched.route.method.responseStream === true;
    const message = buildRequest(matched, searchParams, parseJson(await readText(request)));
    return { status: 200, body: await call(context, matched, message, request, searchParams) };
  } catch (error) {
    const body = errorBody(toStatusError(error));
    return { status: body.error.code, body: streams ? [body] : body };
  }
}

function find(routes: readonly RestRoute[], verb: string, pathname: string): MatchedRoute {
  try {
    const matched = matchRoute(routes, verb, pathname);
    if (matched) return matched;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw invalidArgument('The path of the URL is not well encoded.');
  }
  throw notFound(`No method is served at ${verb} ${pathname}.`);
}

async function call(
  context: RpcContext,
  { route: { method } }: MatchedRoute,
  message: object,
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<unknown> {
  const requested = requestContext(context, (name) => request.headers[name]?.toString());
  const { response: type } = messageTypes(method.name);
  const options = { numericEnums: (query.get('$alt') ?? '').includes('enum-encoding=int') };
  if (method.responseStream !== true) {
    return encodeJson(type, await callUnary(requested, method.name, message), options);
  }
  const responses = await callStreaming(requested, method.name, message);
  return Array.from(responses, (response) => encodeJson(type, response, options));
}
