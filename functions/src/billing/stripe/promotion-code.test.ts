import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { requirePromotionCode } from './promotion-code.ts';

const stripeWith = (codes: object[]) =>
  ({ promotionCodes: { list: () => Promise.resolve({ data: codes }) } }) as unknown as Stripe;

test.each([
  ['for everybody', [{ id: 'promo_1', customer: null }], true],
  ['for the customer', [{ id: 'promo_1', customer: 'cus_1' }], true],
  ['for another customer', [{ id: 'promo_1', customer: 'cus_2' }], false],
  ['that Stripe does not find', [], false],
])('a promotion code %s', async (_which, codes, isAccepted) => {
  const found = requirePromotionCode(stripeWith(codes), 'SPRING', 'cus_1');
  if (isAccepted) expect(await found).toBe('promo_1');
  else await expect(found).rejects.toMatchObject({ code: 'promotion_code_invalid', status: 400 });
});
