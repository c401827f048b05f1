import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { requirePromotionCode } from './cart.service.ts';

interface Code {
  id: string;
  customer: string | null;
}

/** Lists codes like Stripe: the newest first, up to `limit`, and with `customer` only those for this customer. */
const stripeWith = (codes: Code[]) => {
  const list = ({ customer, limit }: { customer?: string; limit: number }) => {
    const found = codes.filter((code) => customer === undefined || code.customer === customer);
    return Promise.resolve({ data: found.slice(0, limit) });
  };
  return { promotionCodes: { list } } as unknown as Stripe;
};

test.each([
  ['for everybody', [{ id: 'promo_1', customer: null }], true],
  ['for the customer', [{ id: 'promo_1', customer: 'cus_1' }], true],
  [
    'for the customer and, with the same text, later for others',
    othersAnd({ id: 'promo_1', customer: 'cus_1' }),
    true,
  ],
  ['for another customer', [{ id: 'promo_2', customer: 'cus_2' }], false],
  ['for several other customers', othersAnd(), false],
  ['that Stripe does not find', [], false],
] satisfies [string, Code[], boolean][])('a promotion code %s', async (_which, codes, isAccepted) => {
  const found = requirePromotionCode(stripeWith(codes), 'SPRING', 'cus_1');
  if (isAccepted) expect(await found).toBe('promo_1');
  else await expect(found).rejects.toMatchObject({ code: 'promotion_code_invalid', status: 400 });
});

/** Codes for more customers than a page of Stripe has, and then the given ones. */
function othersAnd(...codes: Code[]): Code[] {
  const others = Array.from({ length: 120 }, (_, index) => ({
    id: `promo_other_${index}`,
    customer: `cus_other_${index}`,
  }));
  return [...others, ...codes];
}
