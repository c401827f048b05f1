import { noSuchObject, noSuchReference, notAllowed } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import {
  clearable,
  flag,
  list,
  metadata,
  required,
  text,
  timeRange,
  webUrl,
  names,
} from '../../api/parameters/params.ts';
import { searchOperation } from '../../api/search-operation.ts';
import type { Product } from '../../objects.ts';
import { definedOnly } from '../../store/patch.ts';
import { emit, newId, update } from '../../world.ts';
import type { World } from '../../world.ts';

const LIST = { url: '/v1/products', noun: 'product' };

const details = {
  active: flag(),
  description: clearable(text(40_000)),
  images: clearable(list(webUrl(), 8)),
  metadata: clearable(metadata()),
  url: clearable(webUrl()),
};

const unsupported = names(`
  marketing_features package_dimensions shippable statement_descriptor tax_code tax_details unit_label
`);

/** A product as it is stored. Emits no event, so that a seed can use it too. */
export function newProduct(
  given: Pick<Product, 'id' | 'name' | 'created'> & Partial<Omit<Product, 'object' | 'livemode' | 'type'>>,
): Product {
  return {
    object: 'product',
    active: true,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: given.created,
    url: null,
    ...given,
  };
}

function requestedProduct({ state }: World, id: string): Product {
  const product = state.products.get(id);
  if (!product) throw noSuchObject('product', id);
  return product;
}

/** The product that a parameter names, or the error that Stripe answers. */
export function referencedProduct({ state }: World, id: string): Product {
  const product = state.products.get(id);
  if (!product) throw noSuchReference('product', id, 'product');
  return product;
}

function assertDefaultPrice({ state }: World, product: Product, priceId: string): void {
  if (state.prices.get(priceId)?.product !== product.id)
    throw noSuchReference('price', priceId, 'default_price');
}

/** https://docs.stripe.com/api/products */
export const productOperations = [
  operation({
    method: 'POST',
    path: '/v1/products',
    params: { ...details, id: text(), name: required(text()) },
    unsupported: [...unsupported, 'default_price_data', 'type'],
    run: ({ scope, params: { metadata: given, images, id = newId('prod'), name, ...rest } }) => {
      if (scope.state.products.get(id))
        throw notAllowed('Product already exists.', 'resource_already_exists');
      const product = newProduct({
        ...definedOnly(rest),
        id,
        name,
        created: scope.now(),
        images: images ?? [],
        metadata: mergeMetadata({}, given),
      });
      scope.state.products.insert(product);
      emit(scope, 'product.created', product);
      return product;
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/products',
    params: { ...pageParams, active: flag(), ids: list(text()), created: timeRange() },
    unsupported: ['shippable', 'type', 'url'],
    run: ({ scope, params: { active, ids, created, ...paging } }) =>
      page(
        scope.state.products,
        (product) =>
          (active === undefined || product.active === active) &&
          (ids?.includes(product.id) ?? true) &&
          (created?.(product.created) ?? true),
        paging,
        LIST,
      ),
  }),
  searchOperation(
    LIST.url,
    ['active', 'created', 'description', 'metadata', 'name', 'url'],
    (state) => state.products,
  ),
  operation({
    method: 'GET',
    path: '/v1/products/:id',
    params: {},
    run: ({ scope, id }) => requestedProduct(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/products/:id',
    params: { ...details, name: text(), default_price: text() },
    unsupported,
    run: ({ scope, id, params: { metadata: patch, images, ...changes } }) => {
      const product = requestedProduct(scope, id);
      if (changes.default_price !== undefined) assertDefaultPrice(scope, product, changes.default_price);
      return update(scope, 'product.updated', product, {
        ...definedOnly(changes),
        ...(images !== undefined && { images: images ?? [] }),
        metadata: mergeMetadata(product.metadata, patch),
        updated: scope.now(),
      });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/products/:id',
    params: {},
    run: ({ scope, id }) => {
      const product = requestedProduct(scope, id);
      if (scope.state.prices.some((price) => price.product === id)) {
        throw notAllowed('This product cannot be deleted because it has one or more prices.');
      }
      scope.state.products.remove(product.id);
      emit(scope, 'product.deleted', product);
      return { id, object: 'product', deleted: true };
    },
  }),
];
