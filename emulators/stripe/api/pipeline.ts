import { elapse } from '../billing/elapse.ts';
import { DroppedConnection } from '../control/faults.ts';
import type { Faults } from '../control/faults.ts';
import type { RequestLog } from '../control/request-log.ts';
import type { RequestOrigin } from '../events.ts';
import { API_VERSION, newId, rehearse } from '../world.ts';
import type { Scope, World } from '../world.ts';
import { ApiError, internalError, InvalidParameter, noApiKey, notAllowed, wrongApiKey } from './errors.ts';
import { expand } from './expand.ts';
import type { Answer, IdempotencyKeys } from './idempotency.ts';
import type { Operation } from './operation.ts';
import { parseForm } from './parameters/form.ts';
import type { FormMap } from './parameters/form.ts';
import { toJson } from './rendering.ts';

/** The services that the API needs besides the world. */
export interface Service {
  faults: Faults;
  log: RequestLog;
  keys: IdempotencyKeys;
  /** The one secret key that is accepted; without it, every `sk_test_…` is. */
  apiKey: string | undefined;
}

/** Serves one request to an operation: API key, version, idempotency, parameters, execution, expansion. */
export async function serve(
  service: Service,
  world: World,
  operation: Operation,
  request: Request,
  id: string,
): Promise<Response> {
  const url = new URL(request.url);
  const key = operation.method === 'POST' ? (request.headers.get('idempotency-key') ?? null) : null;
  const origin: RequestOrigin = { id: newId('req', 14), idempotency_key: key };
  const logged = service.log.add({
    method: operation.method,
    route: operation.path,
    path: url.pathname,
    key,
  });
  const fault = service.faults.take(operation.method, url.pathname, operation.path);
  try {
    authenticate(request, service.apiKey);
    assertVersion(request);
    const body = await request.text();
    const call = `${operation.method} ${url.pathname}${url.search}\n${body}`;
    const answer = await service.keys.once(world, key, call, async () => {
      await fault?.strike('before');
      try {
        await fault?.strike('during');
      } catch (error) {
        if (error instanceof ApiError) return failure(error, origin);
        throw error;
      }
      return execute({ ...world, request: origin }, operation, id, [url.search.slice(1), body]);
    });
    await fault?.strike('after');
    logged.status = answer.status;
    return respond(answer, origin, answer.replayed);
  } catch (error) {
    if (error instanceof DroppedConnection) return error.response();
    const answer = failure(error, origin);
    logged.status = answer.status;
    return respond(answer, origin);
  }
}

function execute(scope: Scope, operation: Operation, id: string, encoded: string[]): Answer {
  try {
    elapse(scope);
    const form = parseForm(...encoded);
    const changes = operation.method !== 'GET' && form.has('expand');
    const result = changes ? runExpanded(scope, operation, id, form) : run(scope, operation, id, form);
    return { status: 200, body: toJson(result), final: true };
  } catch (error) {
    return failure(error, scope.request);
  }
}

function run(scope: Scope, operation: Operation, id: string, form: FormMap): object {
  const { result, expand: paths } = operation.run(scope, id, form);
  return expand(scope, result, paths);
}

/**
 * Executes an operation and expands its answer. If `expand` is refused, nothing has changed. The changes of an
 * operation that fails are kept: a declined card has failed its invoice.
 */
function runExpanded(scope: Scope, operation: Operation, id: string, form: FormMap): object {
  const { trial, commit, rollBack } = rehearse(scope);
  try {
    const { result, expand: paths } = operation.run(trial, id, form);
    const expanded = expand(trial, result, paths);
    commit();
    return expanded;
  } catch (error) {
    if (error instanceof InvalidParameter) rollBack();
    else commit();
    throw error;
  }
}

/** Stripe's error body. Any other error is a bug here and is only logged. */
function failure(error: unknown, { id }: RequestOrigin): Answer {
  if (!(error instanceof ApiError)) console.error('[stripe]', error);
  const known = error instanceof ApiError ? error : internalError();
  const { error: body } = known.body;
  const text = JSON.stringify({ error: { ...body, request_log_url: null, request_id: id } });
  return { status: known.status, body: text, final: !(known instanceof InvalidParameter) };
}

function respond(
  { status, body }: Pick<Answer, 'status' | 'body'>,
  origin: RequestOrigin,
  replayed = false,
): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'request-id': origin.id ?? '',
      'stripe-version': API_VERSION,
      ...(origin.idempotency_key !== null && { 'idempotency-key': origin.idempotency_key }),
      ...(replayed && { 'idempotent-replayed': 'true' }),
    },
  });
}

/** The key comes as a bearer token or as the user name of basic authentication. */
function authenticate(request: Request, expected: string | undefined): void {
  const [scheme = '', credentials = ''] = (request.headers.get('authorization') ?? '').split(' ');
  const basic = (): string => Buffer.from(credentials, 'base64').toString().split(':')[0] ?? '';
  const key = /^basic$/i.test(scheme) ? basic() : /^bearer$/i.test(scheme) ? credentials : '';
  if (key === '') throw noApiKey();
  if (expected === undefined ? !key.startsWith('sk_test_') : key !== expected) throw wrongApiKey(key);
}

/** One version is served: pretending another one would hand out objects of the wrong shape. */
function assertVersion(request: Request): void {
  const version = request.headers.get('stripe-version') ?? API_VERSION;
  if (version !== API_VERSION) {
    throw notAllowed(
      `The local Stripe serves API version ${API_VERSION} only, not ${version}. Use version 23 of the stripe package without the option apiVersion, or send the header "Stripe-Version: ${API_VERSION}".`,
      'emulator_unsupported',
    );
  }
}
