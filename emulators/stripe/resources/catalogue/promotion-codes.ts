import { InvalidParameter, noSuchObject, noSuchReference } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import {
  clearable,
  flag,
  integer,
  metadata,
  oneOf,
  required,
  shape,
  text,
  timeRange,
} from '../../api/parameters/params.ts';
import type { PromotionCode } from '../../objects.ts';
import { definedOnly } from '../../store/patch.ts';
import type { Store } from '../../store/store.ts';
import { emit, newId, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { referencedCustomer } from '../customers/customer-object.ts';

const LIST = { url: '/v1/promotion_codes', noun: 'promotion_code' };

const createParams = {
  active: flag(),
  code: text(500),
  customer: text(),
  expires_at: integer(0),
  max_redemptions: integer(1),
  metadata: metadata(),
  promotion: required(shape({ coupon: required(text()), type: required(oneOf('coupon')) })),
  restrictions: shape({ first_time_transaction: flag() }, [
    'currency_options',
    'minimum_amount',
    'minimum_amount_currency',
  ]),
};

/**
 * The active code that a customer can use, ignoring case.
 * @param customer id; null while the customer is unknown
 */
export function findCode(
  { promotionCodes }: Store,
  typed: string,
  customer: string | null,
): PromotionCode | undefined {
  const isFor = (code: PromotionCode) => code.customer === null || code.customer === customer;
  return promotionCodes.find((code) => code.active && isSameText(code.code, typed) && isFor(code));
}

const isSameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/**
 * Several customers can each have an active code with the same text, but only if there is none for everybody.
 * https://docs.stripe.com/billing/subscriptions/coupons#create-promotion-codes
 * @param customer id; null for everybody
 */
function assertFree({ state }: Scope, code: string, customer: string | null): void {
  const isTaken = state.promotionCodes.some(
    (other) =>
      other.active &&
      isSameText(other.code, code) &&
      (other.customer === null || customer === null || other.customer === customer),
  );
  if (isTaken) {
    throw new InvalidParameter(`An active promotion code with \`code: ${code}\` already exists.`, 'code');
  }
}

/** https://docs.stripe.com/api/promotion_codes */
export const promotionCodeOperations = [
  operation({
    method: 'POST',
    path: '/v1/promotion_codes',
    params: createParams,
    unsupported: ['customer_account'],
    run: ({ scope, params: { promotion, code = newId('', 8).slice(1).toUpperCase(), ...params } }) => {
      if (!scope.state.coupons.get(promotion.coupon)) {
        throw noSuchReference('coupon', promotion.coupon, 'promotion[coupon]');
      }
      const customer = params.customer === undefined ? null : referencedCustomer(scope, params.customer).id;
      assertFree(scope, code, customer);
      const promotionCode: PromotionCode = {
        id: newId('promo'),
        object: 'promotion_code',
        active: params.active ?? true,
        code,
        created: scope.now(),
        customer,
        customer_account: null,
        expires_at: params.expires_at ?? null,
        livemode: false,
        max_redemptions: params.max_redemptions ?? null,
        metadata: mergeMetadata({}, params.metadata),
        promotion,
        restrictions: {
          first_time_transaction: params.restrictions?.first_time_transaction ?? false,
          minimum_amount: null,
          minimum_amount_currency: null,
        },
        times_redeemed: 0,
      };
      scope.state.promotionCodes.insert(promotionCode);
      emit(scope, 'promotion_code.created', promotionCode);
      return promotionCode;
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/promotion_codes',
    params: {
      ...pageParams,
      active: flag(),
      code: text(500),
      coupon: text(),
      created: timeRange(),
      customer: text(),
    },
    unsupported: ['customer_account'],
    run: ({ scope, params: { active, code, coupon, created, customer, ...paging } }) =>
      page(
        scope.state.promotionCodes,
        (row) =>
          (active === undefined || row.active === active) &&
          (code === undefined || isSameText(row.code, code)) &&
          (coupon === undefined || row.promotion.coupon === coupon) &&
          (created?.(row.created) ?? true) &&
          (customer === undefined || row.customer === customer),
        paging,
        LIST,
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/promotion_codes/:id',
    params: {},
    run: ({ scope, id }) => requestedCode(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/promotion_codes/:id',
    params: { active: flag(), metadata: clearable(metadata()) },
    unsupported: ['restrictions'],
    run: ({ scope, id, params: { metadata: patch, ...changes } }) => {
      const code = requestedCode(scope, id);
      if (changes.active && !code.active) assertFree(scope, code.code, code.customer);
      return update(scope, 'promotion_code.updated', code, {
        ...definedOnly(changes),
        metadata: mergeMetadata(code.metadata, patch),
      });
    },
  }),
];

function requestedCode({ state }: World, id: string): PromotionCode {
  const code = state.promotionCodes.get(id);
  if (!code) throw noSuchObject('promotion_code', id);
  return code;
}
