import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import { invalidArgument, notFound, toStatusError } from '../errors.ts';
import { parseJson, readText } from '../http/body.ts';
import { errorBody } from '../http/status.ts';
import { openStream } from '../rpc/calls.ts';
import { requestContext } from '../rpc/context.ts';
import type { RpcContext } from '../rpc/context.ts';
import { decodeJson } from '../wire/decode-json.ts';
import { encodeJson } from '../wire/encode-json.ts';
import { messageTypes } from '../wire/schema.ts';
import { frame, parseForwardBody, parseHeaders } from './encoding.ts';
import type { ForwardBody } from './encoding.ts';
import { KEEPALIVE_MS, Session } from './session.ts';

const PATH = /^\/google\.firestore\.v1\.Firestore\/(Listen|Write)\/channel$/;
const VERSION = 8;
const SERVER_VERSION = 14;

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-cache, no-store, max-age=0',
  'x-content-type-options': 'nosniff',
};

interface ChannelRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Serves Listen and Write to browsers by the protocol of Closure's WebChannel, version 8
 * (https://github.com/google/closure-library/tree/master/closure/goog/labs/net/webchannel): a POST opens a session,
 * further POSTs bring messages, and the response of a GET, the back channel, takes messages to the client.
 */
export function createWebChannelHandler(context: RpcContext, clock: Clock): RequestListener {
  const sessions = new Map<string, Session>();
  return (request, response) => {
    serve(context, clock, sessions, request, response).catch((error: unknown) => {
      const body = errorBody(toStatusError(error));
      response.writeHead(body.error.code, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  };
}

async function serve(
  context: RpcContext,
  clock: Clock,
  sessions: Map<string, Session>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://emulator');
  const method = PATH.exec(pathname)?.[1];
  if (method === undefined) throw notFound(`No channel is served at ${pathname}.`);
  if (Number(query.get('VER')) !== VERSION) throw invalidArgument(`VER must be ${VERSION}.`);
  const channel: ChannelRequest = { method, query, request, response };
  const id = query.get('SID');
  const session = id === null ? undefined : sessions.get(id);
  if (id === null) await open(context, clock, sessions, channel);
  else if (query.get('TYPE') === 'terminate') terminate(session, response);
  else if (!session) response.writeHead(400, HEADERS).end('Error: Unknown SID');
  else if (request.method === 'POST') await receive(session, channel);
  else attach(session, channel);
}

/** The handshake, which may already bring messages. */
async function open(
  context: RpcContext,
  clock: Clock,
  sessions: Map<string, Session>,
  { method, query, request, response }: ChannelRequest,
): Promise<void> {
  if (request.method !== 'POST') throw invalidArgument('A channel is opened by POST.');
  const { response: type } = messageTypes(method);
  const body = parseForwardBody(await readText(request));
  const session = new Session(clock, () => sessions.delete(session.id));
  const stream = openStream(requestContext(context, headersOf(body, query, request)), method, {
    send: (message) => {
      session.send([encodeJson(type, message, { numericEnums: false })]);
    },
    end: () => {
      session.close();
    },
    fail: (error) => {
      session.send([errorBody(toStatusError(error))]);
      session.close();
    },
  });
  session.connect(stream);
  sessions.set(session.id, session);
  const withId = query.has('X-HTTP-Session-Id') ? { 'x-http-session-id': session.id } : {};
  response.writeHead(200, { ...HEADERS, ...withId });
  response.end(frame(JSON.stringify([[0, ['c', session.id, '', VERSION, SERVER_VERSION, KEEPALIVE_MS]]])));
  deliver(session, method, body);
}

/** Clients put the first request's headers into its body or its URL. */
function headersOf(
  { headers }: ForwardBody,
  query: URLSearchParams,
  request: IncomingMessage,
): (name: string) => string | undefined {
  const inUrl = parseHeaders(query.get('$httpHeaders'));
  return (name) => headers.get(name) ?? inUrl.get(name) ?? request.headers[name]?.toString();
}

async function receive(
  session: Session,
  { method, query, request, response }: ChannelRequest,
): Promise<void> {
  const body = parseForwardBody(await readText(request));
  session.confirm(received(query));
  deliver(session, method, body);
  response.writeHead(200, HEADERS).end(frame(JSON.stringify(session.summary())));
}

/** The last array that the client says it has. */
function received(query: URLSearchParams): number {
  const id = Number(query.get('AID') ?? -1);
  if (!Number.isInteger(id)) throw invalidArgument('AID must be a number.');
  return id;
}

function deliver(session: Session, method: string, { firstId, messages }: ForwardBody): void {
  const { request: type } = messageTypes(method);
  session.receive(
    firstId,
    messages.map((message) => decodeJson(type, parseJson(message))),
  );
}

function attach(session: Session, { query, response }: ChannelRequest): void {
  const holdMs = Math.min(Number(query.get('TO') ?? KEEPALIVE_MS) || KEEPALIVE_MS, KEEPALIVE_MS);
  response.writeHead(200, HEADERS);
  response.flushHeaders();
  session.confirm(received(query));
  session.attach(response, query.get('CI') !== '1', holdMs);
}

function terminate(session: Session | undefined, response: ServerResponse): void {
  session?.end();
  response.writeHead(200, HEADERS).end();
}
