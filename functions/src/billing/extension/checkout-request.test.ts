import { expect, test } from 'vitest';
import { loadConfig } from '../../settings/config.ts';
import { TEST_SETTINGS } from '../../testing/settings.ts';
import { readCheckoutRequest } from './checkout-request.ts';

const CONFIG = loadConfig({
  ...TEST_SETTINGS,
  OWN_ORIGINS: 'https://www.example.com',
  RETURN_URLS: 'https://shop.example.com,myapp://paid',
});

const URLS = { success_url: 'https://app.example.com/paid', cancel_url: 'https://app.example.com/prices' };

const read = (data: object) => readCheckoutRequest(CONFIG, { ...URLS, ...data });

test.each<[what: string, data: object]>([
  ['a price', { price: 'price_1' }],
  ['a price and a quantity of one', { price: 'price_1', quantity: 1 }],
  ['one item', { line_items: [{ price: 'price_1', quantity: 1 }] }],
  [
    'fields that settings decide',
    { price: 'price_1', trial_period_days: 999, automatic_tax: true, metadata: {} },
  ],
])('a request names what to buy by %s', (_what, data) => {
  expect(read(data)).toEqual({
    mode: 'subscription',
    priceId: 'price_1',
    quantity: 1,
    stripeReturnUrls: { success: URLS.success_url, cancel: URLS.cancel_url },
  });
});

test.each<[what: string, data: object, expected: object]>([
  ['one payment', { price: 'price_1', mode: 'payment' }, { mode: 'payment', quantity: 1 }],
  ['several packs', { price: 'price_1', mode: 'payment', quantity: 3 }, { quantity: 3 }],
  [
    'several packs as an item',
    { line_items: [{ price: 'price_1', quantity: 3 }], mode: 'payment' },
    { quantity: 3 },
  ],
  ['a promotion code', { price: 'price_1', promotion_code: 'promo_1' }, { promotionCodeId: 'promo_1' }],
])('a request may be for %s', (_what, data, expected) => {
  expect(read(data)).toMatchObject({ priceId: 'price_1', ...expected });
});

test.each<[what: string, data: object, message: RegExp]>([
  ['no price', {}, /price/],
  ['a price that is no text', { price: 1 }, /price/],
  ['several units', { price: 'price_1', quantity: 2 }, /quantity must be 1/],
  ['several units of an item', { line_items: [{ price: 'price_1', quantity: 2 }] }, /quantity must be 1/],
  ['several items', { line_items: [{ price: 'a' }, { price: 'b' }] }, /one item/],
  ['no item', { line_items: [] }, /one item/],
  ['too many units', { price: 'price_1', mode: 'payment', quantity: 101 }, /quantity must be a number/],
  ['the mode setup', { price: 'price_1', mode: 'setup' }, /mode must be subscription or payment/],
  ['a mobile client', { price: 'price_1', client: 'mobile' }, /client must be web/],
  ['a promotion code that is no text', { price: 'price_1', promotion_code: 1 }, /promotion_code/],
  ['no success_url', { price: 'price_1', success_url: undefined }, /success_url/],
])('a request with %s is refused', (_what, data, message) => {
  expect(() => read(data)).toThrow(message);
});

test.each([
  'https://app.example.com',
  'https://app.example.com/?session={CHECKOUT_SESSION_ID}',
  'https://app.example.com#done',
  'https://www.example.com/paid',
  'https://shop.example.com/paid?id={CHECKOUT_SESSION_ID}',
  'myapp://paid',
])('a customer may return to %s', (address) => {
  expect(read({ price: 'price_1', success_url: address }).stripeReturnUrls.success).toBe(address);
});

test.each([
  'https://evil.example/',
  'https://app.example.com.evil.example/',
  'https://app.example.com@evil.example/',
  'https://app.example.com:8443/',
  'https://app.example.com\\@evil.example/',
  'https://evil.example\\.app.example.com/',
  'https://app.example.com/\n',
  ' https://app.example.com/',
  'http://app.example.com/',
  '//app.example.com/',
  '/paid',
  'javascript:alert(1)//https://app.example.com/',
  'https:app.example.com/',
  '',
])('a customer may not return to %s', (address) => {
  expect(() => read({ price: 'price_1', success_url: address })).toThrow(
    /success_url must be a URL of this app/,
  );
  expect(() => read({ price: 'price_1', cancel_url: address })).toThrow(
    /cancel_url must be a URL of this app/,
  );
});
