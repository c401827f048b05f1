import { InvalidParameter, noSuchObject } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { mergeMetadata } from '../api/metadata.ts';
import { operation } from '../api/operation.ts';
import { clearable, flag, list, metadata, required, text, webUrl } from '../api/parameters/params.ts';
import type { WebhookEndpoint } from '../objects.ts';
import { definedOnly } from '../store/patch.ts';
import type { Store } from '../store/store.ts';
import type { WebhookEndpoint as Receiver } from '../webhooks.ts';
import { API_VERSION, newId } from '../world.ts';
import type { World } from '../world.ts';

const LIST = { url: '/v1/webhook_endpoints', noun: 'webhook_endpoint' };

/** Stripe allows 16 endpoints in an account. */
const MOST_ENDPOINTS = 16;

/** https://docs.stripe.com/api/webhook_endpoints. Only the answer to the creation has the secret. */
export const webhookEndpointOperations = [
  operation({
    method: 'POST',
    path: '/v1/webhook_endpoints',
    params: {
      api_version: text(),
      description: clearable(text()),
      enabled_events: required(list(text())),
      metadata: clearable(metadata()),
      url: required(webUrl()),
    },
    unsupported: ['connect'],
    run: ({ scope, params }) => {
      const { state } = scope;
      const { api_version: version = null, description = null, metadata: given, ...rest } = params;
      assertVersion(version);
      if (state.webhookEndpoints.size >= MOST_ENDPOINTS) {
        throw new InvalidParameter(
          `You have reached the maximum of ${MOST_ENDPOINTS} webhook endpoints.`,
          'url',
        );
      }
      const endpoint: WebhookEndpoint = {
        ...rest,
        id: newId('we'),
        object: 'webhook_endpoint',
        api_version: version,
        application: null,
        created: scope.now(),
        description,
        livemode: false,
        metadata: mergeMetadata({}, given),
        status: 'enabled',
      };
      const secret = newId('whsec', 32);
      state.webhookEndpoints.insert(endpoint);
      state.webhookSecrets.insert({ id: endpoint.id, secret });
      return { ...endpoint, secret };
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/webhook_endpoints',
    params: pageParams,
    run: ({ scope, params }) => page(scope.state.webhookEndpoints, () => true, params, LIST),
  }),
  operation({
    method: 'GET',
    path: '/v1/webhook_endpoints/:id',
    params: {},
    run: ({ scope, id }) => requestedEndpoint(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/webhook_endpoints/:id',
    params: {
      description: clearable(text()),
      disabled: flag(),
      enabled_events: list(text()),
      metadata: clearable(metadata()),
      url: webUrl(),
    },
    run: ({ scope, id, params: { disabled, metadata: patch, ...changes } }) => {
      const endpoint = requestedEndpoint(scope, id);
      return scope.state.webhookEndpoints.patch(endpoint.id, {
        ...definedOnly(changes),
        ...(disabled !== undefined && { status: disabled ? 'disabled' : 'enabled' }),
        metadata: mergeMetadata(endpoint.metadata, patch),
      });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    params: {},
    run: ({ scope: { state, ...scope }, id }) => {
      const endpoint = requestedEndpoint({ state, ...scope }, id);
      state.webhookEndpoints.remove(endpoint.id);
      state.webhookSecrets.remove(endpoint.id);
      return { id, object: 'webhook_endpoint', deleted: true };
    },
  }),
];

/** The endpoints of the account that want an event of a type. */
export function receiversOf(state: Store, type: string): Receiver[] {
  return state.webhookEndpoints
    .where(({ status, enabled_events: wanted }) => status === 'enabled' && wants(wanted, type))
    .map(({ id, url }) => ({ url, secret: state.webhookSecrets.get(id)?.secret ?? '' }));
}

const wants = (wanted: readonly string[], type: string) => wanted.includes('*') || wanted.includes(type);

/** Events have the one version that this server has. */
function assertVersion(version: string | null): void {
  if (version !== null && version !== API_VERSION) {
    throw new InvalidParameter(`The local Stripe has only the version ${API_VERSION}.`, 'api_version');
  }
}

function requestedEndpoint({ state }: Pick<World, 'state'>, id: string): WebhookEndpoint {
  const endpoint = state.webhookEndpoints.get(id);
  if (!endpoint) throw noSuchObject('webhook endpoint', id);
  return endpoint;
}
