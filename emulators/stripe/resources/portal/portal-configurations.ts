import { InvalidParameter, missingParameter, noSuchObject, noSuchReference } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import {
  builtOf,
  clearable,
  flag,
  integer,
  list,
  metadata,
  oneOf,
  required,
  shape,
  text,
  webUrl,
} from '../../api/parameters/params.ts';
import type { PortalProducts } from '../../hidden-records.ts';
import type { PortalConfiguration } from '../../objects.ts';
import { definedOnly } from '../../store/patch.ts';
import { emit, newId, update } from '../../world.ts';
import type { World } from '../../world.ts';
import { FEEDBACK, prorationBehavior } from '../subscriptions/subscription-params.ts';
import { newConfiguration, NO_FEATURES } from './portal-configuration-object.ts';

const LIST = { url: '/v1/billing_portal/configurations', noun: 'configuration' };

const product = shape({
  adjustable_quantity: shape({ enabled: required(flag()), maximum: integer(1), minimum: integer(0) }),
  prices: required(list(text(), 10)),
  product: required(text()),
});

const condition = shape({ type: required(oneOf('decreasing_item_amount', 'shortening_interval')) });

const featureParams = shape(
  {
    invoice_history: shape({ enabled: required(flag()) }),
    payment_method_update: shape({ enabled: required(flag()) }, ['payment_method_configuration']),
    subscription_cancel: shape({
      cancellation_reason: shape(
        { enabled: required(flag()), options: clearable(list(oneOf(...FEEDBACK))) },
        ['feedback_options'],
      ),
      enabled: flag(),
      mode: oneOf('at_period_end', 'immediately'),
      proration_behavior: prorationBehavior,
    }),
    subscription_update: shape(
      {
        default_allowed_updates: clearable(list(builtOf(['price', 'quantity'], ['promotion_code']))),
        enabled: flag(),
        products: clearable(list(product, 10)),
        proration_behavior: prorationBehavior,
        schedule_at_period_end: shape({ conditions: clearable(list(condition)) }),
        trial_update_behavior: oneOf('continue_trial', 'end_trial'),
      },
      ['billing_cycle_anchor'],
    ),
  },
  ['customer_update', 'subscription_pause'],
);

const details = {
  business_profile: shape({
    headline: clearable(text(60)),
    privacy_policy_url: clearable(webUrl()),
    terms_of_service_url: clearable(webUrl()),
  }),
  default_return_url: clearable(webUrl()),
  metadata: clearable(metadata()),
  name: clearable(text(200)),
};

type Features = PortalConfiguration['features'];
type GivenFeatures = NonNullable<ReturnType<(typeof featureParams)['parse']>>;

/** The features with the changes that were given; each must be whole in the end. */
function changeFeatures(current: Features, given: GivenFeatures | undefined): Features {
  if (!given) return current;
  const cancel = given.subscription_cancel;
  const changed: Features = {
    ...current,
    ...(given.invoice_history && { invoice_history: given.invoice_history }),
    ...(given.payment_method_update && {
      payment_method_update: { ...current.payment_method_update, ...given.payment_method_update },
    }),
    subscription_cancel: {
      ...current.subscription_cancel,
      ...definedOnly({
        enabled: cancel?.enabled,
        mode: cancel?.mode,
        proration_behavior: cancel?.proration_behavior,
      }),
      ...(cancel?.cancellation_reason && {
        cancellation_reason: {
          enabled: cancel.cancellation_reason.enabled,
          feedback_options: null,
          options: cancel.cancellation_reason.options ?? [],
        },
      }),
    },
    subscription_update: changeUpdates(current.subscription_update, given.subscription_update),
  };
  return changed;
}

function changeUpdates(
  current: Features['subscription_update'],
  given: GivenFeatures['subscription_update'],
): Features['subscription_update'] {
  if (!given) return current;
  const { default_allowed_updates: allowed, enabled, schedule_at_period_end: later } = given;
  const changed = {
    ...current,
    ...definedOnly({
      enabled,
      proration_behavior: given.proration_behavior,
      trial_update_behavior: given.trial_update_behavior,
    }),
    ...(allowed !== undefined && { default_allowed_updates: allowed ?? [] }),
    ...(later?.conditions !== undefined && {
      schedule_at_period_end: { conditions: later.conditions ?? [] },
    }),
  };
  if (enabled && changed.default_allowed_updates.length === 0) {
    throw missingParameter('features[subscription_update][default_allowed_updates]');
  }
  return changed;
}

type Products = PortalProducts['products'];
type Product = NonNullable<Products>[number];

/** The products of a configuration with the changes that were given. */
function changeProducts(world: World, current: Products, given: GivenFeatures | undefined): Products {
  const { enabled, products } = given?.subscription_update ?? {};
  const changed =
    products === undefined ? current : products && products.map((row) => readProduct(world, row));
  if (enabled && !changed) throw missingParameter('features[subscription_update][products]');
  return changed;
}

function readProduct({ state }: World, given: ReturnType<(typeof product)['parse']>): Product {
  const { product: id, prices, adjustable_quantity: adjustable } = given;
  const name = 'features[subscription_update][products]';
  if (!state.products.get(id)) throw noSuchReference('product', id, name);
  for (const price of prices) {
    if (state.prices.get(price)?.product !== id) throw noSuchReference('price', price, name);
  }
  return {
    adjustable_quantity: {
      enabled: adjustable?.enabled ?? false,
      maximum: adjustable?.maximum ?? null,
      minimum: adjustable?.minimum ?? 1,
    },
    prices,
    product: id,
  };
}

/** https://docs.stripe.com/api/customer_portal/configurations */
export const portalConfigurationOperations = [
  operation({
    method: 'POST',
    path: '/v1/billing_portal/configurations',
    params: { ...details, features: required(featureParams) },
    unsupported: ['login_page'],
    run: ({ scope, params }) => {
      const features = changeFeatures(NO_FEATURES, params.features);
      const products = changeProducts(scope, null, params.features);
      const blank = newConfiguration({
        id: newId('bpc'),
        created: scope.now(),
        default_return_url: params.default_return_url ?? null,
        features,
        metadata: mergeMetadata({}, params.metadata),
        name: params.name ?? null,
      });
      const configuration = scope.state.portalConfigurations.insert({
        ...blank,
        business_profile: { ...blank.business_profile, ...definedOnly(params.business_profile ?? {}) },
      });
      scope.state.portalProducts.put({ id: configuration.id, products });
      emit(scope, 'billing_portal.configuration.created', configuration);
      return configuration;
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/billing_portal/configurations',
    params: { ...pageParams, active: flag(), is_default: flag() },
    run: ({ scope, params: { active, is_default: isDefault, ...paging } }) =>
      page(
        scope.state.portalConfigurations,
        (row) =>
          (active === undefined || row.active === active) &&
          (isDefault === undefined || row.is_default === isDefault),
        paging,
        LIST,
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/billing_portal/configurations/:id',
    params: {},
    run: ({ scope, id }) => requestedConfiguration(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/billing_portal/configurations/:id',
    params: { ...details, active: flag(), features: featureParams },
    unsupported: ['login_page'],
    run: ({
      scope,
      id,
      params: { business_profile: profile, features: given, metadata: patch, ...changes },
    }) => {
      const configuration = requestedConfiguration(scope, id);
      if (configuration.is_default && changes.active === false) {
        throw new InvalidParameter('The default configuration cannot be made inactive.', 'active');
      }
      const features = changeFeatures(configuration.features, given);
      const products = changeProducts(scope, scope.state.portalProducts.get(id)?.products ?? null, given);
      const changed = update(scope, 'billing_portal.configuration.updated', configuration, {
        ...definedOnly(changes),
        business_profile: { ...configuration.business_profile, ...definedOnly(profile ?? {}) },
        features,
        metadata: mergeMetadata(configuration.metadata, patch),
        updated: scope.now(),
      });
      scope.state.portalProducts.put({ id, products });
      return changed;
    },
  }),
];

function requestedConfiguration({ state }: World, id: string): PortalConfiguration {
  const configuration = state.portalConfigurations.get(id);
  if (!configuration) throw noSuchObject('configuration', id);
  return configuration;
}
