import { InvalidParameter, missingParameter, noSuchObject, notAllowed } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import {
  clearable,
  integer,
  metadata,
  oneOf,
  percentage,
  text,
  timeRange,
} from '../../api/parameters/params.ts';
import { newCoupon } from '../../billing/discounts/discounts.ts';
import type { Coupon } from '../../objects.ts';
import { definedOnly } from '../../store/patch.ts';
import { emit, newId, update } from '../../world.ts';
import type { World } from '../../world.ts';

const LIST = { url: '/v1/coupons', noun: 'coupon' };

/** https://docs.stripe.com/api/coupons */
export const couponOperations = [
  operation({
    method: 'POST',
    path: '/v1/coupons',
    params: {
      amount_off: integer(1),
      currency: text(3),
      duration: oneOf('forever', 'once', 'repeating'),
      duration_in_months: integer(1),
      id: text(500),
      max_redemptions: integer(1),
      metadata: clearable(metadata()),
      name: text(40),
      percent_off: percentage(),
      redeem_by: integer(0),
    },
    unsupported: ['applies_to', 'currency_options'],
    run: ({
      scope,
      params: { id = newId('', 8).slice(1), metadata: given, duration = 'once', ...params },
    }) => {
      assertAmount(params);
      if ((duration === 'repeating') !== (params.duration_in_months !== undefined)) {
        throw new InvalidParameter(
          'duration_in_months goes with a repeating duration, and only with that.',
          'duration_in_months',
        );
      }
      if (scope.state.coupons.get(id)) throw notAllowed('Coupon already exists.', 'resource_already_exists');
      const coupon = newCoupon({
        ...definedOnly(params),
        id,
        created: scope.now(),
        duration,
        metadata: mergeMetadata({}, given),
      });
      scope.state.coupons.insert(coupon);
      emit(scope, 'coupon.created', coupon);
      return coupon;
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/coupons',
    params: { ...pageParams, created: timeRange() },
    run: ({ scope, params: { created, ...paging } }) =>
      page(scope.state.coupons, (coupon) => created?.(coupon.created) ?? true, paging, LIST),
  }),
  operation({
    method: 'GET',
    path: '/v1/coupons/:id',
    params: {},
    run: ({ scope, id }) => requestedCoupon(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/coupons/:id',
    params: { metadata: clearable(metadata()), name: text(40) },
    unsupported: ['currency_options'],
    run: ({ scope, id, params: { metadata: patch, ...changes } }) => {
      const coupon = requestedCoupon(scope, id);
      return update(scope, 'coupon.updated', coupon, {
        ...definedOnly(changes),
        metadata: mergeMetadata(coupon.metadata, patch),
      });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/coupons/:id',
    params: {},
    run: ({ scope, id }) => {
      const { state } = scope;
      const coupon = requestedCoupon(scope, id);
      state.coupons.remove(coupon.id);
      // Discounts that were given go on.
      state.deletedCoupons.put(coupon);
      emit(scope, 'coupon.deleted', coupon);
      return { id, object: 'coupon', deleted: true };
    },
  }),
];

function assertAmount(given: {
  amount_off?: number | undefined;
  percent_off?: number | undefined;
  currency?: string | undefined;
}): void {
  if ((given.amount_off === undefined) === (given.percent_off === undefined)) {
    throw new InvalidParameter('You must pass one of percent_off and amount_off.', 'percent_off');
  }
  if (given.amount_off !== undefined && given.currency === undefined) throw missingParameter('currency');
}

export function requestedCoupon({ state }: World, id: string): Coupon {
  const coupon = state.coupons.get(id);
  if (!coupon) throw noSuchObject('coupon', id);
  return coupon;
}
