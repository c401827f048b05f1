import { InvalidParameter, missingParameter, noSuchReference } from '../../api/errors.ts';
import { operation } from '../../api/operation.ts';
import { builtOf, integer, list, oneOf, required, shape, text, webUrl } from '../../api/parameters/params.ts';
import type { PortalConfiguration, PortalSession } from '../../objects.ts';
import { emit, newId } from '../../world.ts';
import type { World } from '../../world.ts';
import { referencedCustomer } from '../customers/customer-object.ts';

/** How long a portal link works, in seconds. */
export const PORTAL_LIFETIME = 60 * 60;

const ofSubscription = { subscription: required(text()) };
const flowData = shape(
  {
    after_completion: shape({
      hosted_confirmation: shape({ custom_message: text(500) }),
      redirect: shape({ return_url: required(webUrl()) }),
      type: required(oneOf('hosted_confirmation', 'portal_homepage', 'redirect')),
    }),
    subscription_cancel: shape(ofSubscription, ['retention']),
    subscription_update: shape(ofSubscription),
    subscription_update_confirm: shape(
      {
        ...ofSubscription,
        items: required(
          list(shape({ id: required(text()), price: text(), quantity: integer(1, 999_999) }), 1),
        ),
      },
      ['discounts'],
    ),
    type: required(
      builtOf(
        [
          'payment_method_update',
          'subscription_cancel',
          'subscription_update',
          'subscription_update_confirm',
        ],
        ['customer_update', 'subscription_pause'],
      ),
    ),
  },
  ['subscription_pause'],
);

type GivenFlow = ReturnType<(typeof flowData)['parse']>;
type Flow = NonNullable<PortalSession['flow']>;

/**
 * The single page that the portal is opened for. Throws if it is disabled, or if the subscription is not the
 * customer's.
 */
function readFlow(
  world: World,
  given: GivenFlow,
  customer: string,
  features: PortalConfiguration['features'],
): Flow {
  const { type, after_completion: after } = given;
  const feature = type === 'subscription_update_confirm' ? 'subscription_update' : type;
  if (!features[feature].enabled) {
    throw new InvalidParameter(`The portal's configuration does not enable ${feature}.`, 'flow_data[type]');
  }
  const target = type === 'payment_method_update' ? undefined : given[type];
  if (type !== 'payment_method_update') {
    if (!target) throw missingParameter(`flow_data[${type}]`);
    if (world.state.subscriptions.get(target.subscription)?.customer !== customer) {
      throw noSuchReference('subscription', target.subscription, `flow_data[${type}][subscription]`);
    }
  }
  const { subscription_update_confirm: confirm } = given;
  return {
    after_completion: readAfter(after),
    customer_update: null,
    subscription_cancel:
      type === 'subscription_cancel' && target
        ? { retention: null, subscription: target.subscription }
        : null,
    subscription_pause: null,
    subscription_update:
      type === 'subscription_update' && target ? { subscription: target.subscription } : null,
    subscription_update_confirm:
      type === 'subscription_update_confirm' && confirm
        ? {
            discounts: null,
            items: confirm.items.map(({ id, price, quantity }) => ({
              id,
              price: price ?? null,
              ...(quantity !== undefined && { quantity }),
            })),
            subscription: confirm.subscription,
          }
        : null,
    type,
  };
}

function readAfter(given: GivenFlow['after_completion']): Flow['after_completion'] {
  const name = 'flow_data[after_completion][redirect]';
  if (given?.type === 'redirect' && !given.redirect) throw missingParameter(name);
  return {
    hosted_confirmation:
      given?.type === 'hosted_confirmation'
        ? { custom_message: given.hosted_confirmation?.custom_message ?? null }
        : null,
    redirect: given?.type === 'redirect' ? (given.redirect ?? null) : null,
    type: given?.type ?? 'portal_homepage',
  };
}

function configurationFor({ state }: World, id: string | undefined): PortalConfiguration {
  const found = state.portalConfigurations.find((row) => (id === undefined ? row.is_default : row.id === id));
  if (!found?.active) throw noSuchReference('configuration', id ?? 'default', 'configuration');
  return found;
}

/** https://docs.stripe.com/api/customer_portal/sessions */
export const portalSessionOperations = [
  operation({
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    params: {
      configuration: text(),
      customer: required(text()),
      flow_data: flowData,
      locale: text(10),
      return_url: webUrl(),
    },
    unsupported: ['after_expiration', 'customer_account', 'on_behalf_of'],
    run: ({ scope, params }) => {
      const id = newId('bps');
      const customer = referencedCustomer(scope, params.customer);
      const configuration = configurationFor(scope, params.configuration);
      const { flow_data: flow } = params;
      const session: PortalSession = {
        id,
        object: 'billing_portal.session',
        configuration: configuration.id,
        created: scope.now(),
        customer: customer.id,
        customer_account: null,
        flow: flow ? readFlow(scope, flow, customer.id, configuration.features) : null,
        livemode: false,
        locale: params.locale ?? null,
        on_behalf_of: null,
        return_url: params.return_url ?? configuration.default_return_url,
        url: `${scope.origin}/p/session/${id}`,
      };
      scope.state.portalSessions.insert(session);
      emit(scope, 'billing_portal.session.created', session);
      return session;
    },
  }),
];
