import { InvalidParameter, noSuchObject } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { mergeMetadata } from '../api/metadata.ts';
import { operation } from '../api/operation.ts';
import { clearable, flag, metadata, required, text } from '../api/parameters/params.ts';
import type { Feature } from '../objects.ts';
import { referencedCustomer } from '../resources/customers/customer-object.ts';
import { definedOnly } from '../store/patch.ts';
import { newId } from '../world.ts';
import type { World } from '../world.ts';
import { shownEntitlement } from './active.ts';

const FEATURES = { url: '/v1/entitlements/features', noun: 'entitlements.feature' };
const ACTIVE = { url: '/v1/entitlements/active_entitlements', noun: 'entitlements.active_entitlement' };

/** https://docs.stripe.com/api/entitlements/feature and https://docs.stripe.com/api/entitlements/active-entitlement */
export const entitlementOperations = [
  operation({
    method: 'POST',
    path: FEATURES.url,
    params: { lookup_key: required(text(80)), metadata: clearable(metadata()), name: required(text(80)) },
    run: ({ scope, params: { lookup_key: key, metadata: given, name } }) => {
      if (scope.state.features.some(({ lookup_key: other }) => other === key)) {
        throw new InvalidParameter(`A feature already has the lookup key ${key}.`, 'lookup_key');
      }
      const feature: Feature = {
        id: newId('feat_test', 24),
        object: 'entitlements.feature',
        active: true,
        livemode: false,
        lookup_key: key,
        metadata: mergeMetadata({}, given),
        name,
      };
      scope.state.features.insert(feature);
      return feature;
    },
  }),
  operation({
    method: 'GET',
    path: FEATURES.url,
    params: { ...pageParams, archived: flag(), lookup_key: text(80) },
    run: ({ scope, params: { archived, lookup_key: key, ...paging } }) =>
      page(
        scope.state.features,
        (feature) =>
          (archived === undefined || feature.active !== archived) &&
          (key === undefined || feature.lookup_key === key),
        paging,
        FEATURES,
      ),
  }),
  operation({
    method: 'GET',
    path: `${FEATURES.url}/:id`,
    params: {},
    run: ({ scope, id }) => requestedFeature(scope, id),
  }),
  operation({
    method: 'POST',
    path: `${FEATURES.url}/:id`,
    params: { active: flag(), metadata: clearable(metadata()), name: text(80) },
    run: ({ scope, id, params: { metadata: patch, ...changes } }) => {
      const feature = requestedFeature(scope, id);
      const merged = mergeMetadata(feature.metadata, patch);
      return scope.state.features.patch(id, { ...definedOnly(changes), metadata: merged });
    },
  }),
  operation({
    method: 'GET',
    path: ACTIVE.url,
    params: { ...pageParams, customer: required(text()) },
    run: ({ scope, params: { customer: id, ...paging } }) => {
      const { state } = scope;
      const customer = referencedCustomer(scope, id);
      const rows = page(state.entitlements, (row) => row.customer === customer.id, paging, ACTIVE);
      return { ...rows, data: rows.data.map((row) => shownEntitlement(state, row)) };
    },
  }),
  operation({
    method: 'GET',
    path: `${ACTIVE.url}/:id`,
    params: {},
    run: ({ scope: { state }, id }) => {
      const row = state.entitlements.get(id);
      if (!row) throw noSuchObject(ACTIVE.noun, id);
      return shownEntitlement(state, row);
    },
  }),
];

function requestedFeature({ state }: World, id: string): Feature {
  const feature = state.features.get(id);
  if (!feature) throw noSuchObject('entitlements.feature', id);
  return feature;
}
