import type Stripe from 'stripe';
import { InvalidParameter, noSuchObject, noSuchReference } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { operation } from '../api/operation.ts';
import { required, text } from '../api/parameters/params.ts';
import type { ProductFeature } from '../hidden-records.ts';
import { newId } from '../world.ts';
import type { World } from '../world.ts';
import { syncEntitlementsOfProduct } from './active.ts';

const PATH = '/v1/products/:id/features';

/** https://docs.stripe.com/api/product-feature */
export const productFeatureOperations = [
  operation({
    method: 'POST',
    path: PATH,
    params: { entitlement_feature: required(text()) },
    run: ({ scope, id: product, params: { entitlement_feature: id } }) => {
      const { state } = scope;
      assertProduct(scope, product);
      const feature = state.features.get(id);
      const param = 'entitlement_feature';
      if (!feature) throw noSuchReference('entitlements.feature', id, param);
      if (!feature.active) throw new InvalidParameter('An archived feature cannot be attached.', param);
      if (state.productFeatures.some((row) => row.product === product && row.feature === id)) {
        throw new InvalidParameter('The product already has this feature.', param);
      }
      const row = { id: newId('prodft_test', 24), product, feature: id };
      state.productFeatures.insert(row);
      syncEntitlementsOfProduct(scope, product);
      return shown(scope, row);
    },
  }),
  operation({
    method: 'GET',
    path: PATH,
    params: pageParams,
    run: ({ scope, id: product, params }) => {
      assertProduct(scope, product);
      const list = { url: `/v1/products/${product}/features`, noun: 'product_feature' };
      const rows = page(scope.state.productFeatures, (row) => row.product === product, params, list);
      return { ...rows, data: rows.data.map((row) => shown(scope, row)) };
    },
  }),
  operation({
    method: 'GET',
    path: `${PATH}/:child`,
    params: {},
    run: ({ scope, id }) => shown(scope, requested(scope, id)),
  }),
  operation({
    method: 'DELETE',
    path: `${PATH}/:child`,
    params: {},
    run: ({ scope, id }) => {
      const row = requested(scope, id);
      scope.state.productFeatures.remove(row.id);
      syncEntitlementsOfProduct(scope, row.product);
      return { id: row.id, object: 'product_feature', deleted: true };
    },
  }),
];

function assertProduct({ state }: World, id: string): void {
  if (!state.products.get(id)) throw noSuchObject('product', id);
}

/** @param path the ids of product and product feature, joined by a slash */
function requested({ state }: World, path: string): ProductFeature {
  const [product, id = ''] = path.split('/');
  const row = state.productFeatures.get(id);
  if (row?.product !== product || !row) throw noSuchObject('product_feature', id);
  return row;
}

function shown({ state }: World, { id, feature }: ProductFeature): Stripe.ProductFeature {
  const found = state.features.get(feature);
  if (!found) throw new Error(`The feature ${feature} is gone`);
  return { id, object: 'product_feature', entitlement_feature: found, livemode: false };
}
