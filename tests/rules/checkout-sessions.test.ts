import { readFileSync } from 'node:fs';
import { ask, inDatabase, mustLoad } from '@hearth/security-rules/testing';
import { bool, int, list, map, NULL, string, timestamp, type Value } from '@hearth/security-rules/value';
import { describe, expect, test } from 'vitest';
import { RULES_FILE } from '../../scripts/plan-tables.ts';

/** The rules of Firestore, evaluated directly, because these are many documents. */
const rules = mustLoad(readFileSync(RULES_FILE, 'utf8'));

const REQUEST = {
  mode: 'subscription',
  price: 'price_1',
  success_url: 'https://app.example.com/',
  cancel_url: 'https://app.example.com/',
};

/** Whether Ada may create a checkout session with these fields below the customer `uid`. */
async function accepts(
  data: Readonly<Record<string, unknown>>,
  { uid = 'ada', provider = 'password' } = {},
): Promise<boolean> {
  const path = inDatabase(`customers/${uid}/checkout_sessions/one`);
  const { allowed } = await ask(rules, {
    method: 'create',
    path,
    auth: map({ uid: string('ada'), token: map({ firebase: map({ sign_in_provider: string(provider) }) }) }),
    resource: NULL,
    newResource: map({ data: valueOf(data) }),
  });
  return allowed;
}

function valueOf(value: unknown): Value {
  if (value === null) return NULL;
  if (typeof value === 'string') return string(value);
  if (typeof value === 'number') return int(value);
  if (typeof value === 'boolean') return bool(value);
  if (value instanceof Date) return timestamp(BigInt(value.getTime()) * 1_000_000n);
  if (Array.isArray(value)) return list(value.map(valueOf));
  return map(Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, valueOf(item)])));
}

const texts = (count: number, length: number) => Array<string>(count).fill('€'.repeat(length));
const mapOf = (values: readonly unknown[]) =>
  Object.fromEntries(values.map((value, index) => [`key${index}`, value]));

/** The fields of the web SDK, each as large as the rules allow. */
const LARGEST = {
  ...REQUEST,
  price: '€'.repeat(255),
  success_url: '€'.repeat(2048),
  cancel_url: '€'.repeat(2048),
  quantity: 1,
  allow_promotion_codes: true,
  automatic_tax: true,
  tax_id_collection: true,
  trial_from_plan: true,
  client_reference_id: '€'.repeat(500),
  promotion_code: '€'.repeat(500),
  line_items: [{ price: '€'.repeat(500), quantity: 1, description: '€'.repeat(500) }],
  payment_method_types: texts(3, 500),
  metadata: { ...mapOf(texts(11, 500)), ['x'.repeat(900)]: 1 },
};

describe('a checkout session is created by its user', () => {
  test.each<[what: string, more: object]>([
    ['with nothing else', {}],
    [
      'with the fields of the web SDK',
      {
        allow_promotion_codes: true,
        automatic_tax: false,
        client_reference_id: 'order 1',
        metadata: { campaign: 'spring', visit: 3, isNew: true, referrer: null },
        payment_method_types: ['card', 'sepa_debit'],
        promotion_code: 'promo_1',
        tax_id_collection: true,
        trial_from_plan: true,
        quantity: 1,
      },
    ],
    [
      'with other fields of the extension',
      {
        after_expiration: { recovery: { enabled: true, allow_promotion_codes: false } },
        automatic_payment_methods: { enabled: true },
        billing_address_collection: 'auto',
        client: 'web',
        collect_shipping_address: true,
        consent_collection: { promotions: 'auto' },
        customer_update: { address: 'auto', name: 'auto' },
        expires_at: 1_900_000_000,
        invoice_creation: true,
        locale: 'de',
        payment_method_collection: 'if_required',
        phone_number_collection: { enabled: false },
        setup_future_usage: 'off_session',
        shipping_rates: ['shr_1'],
        tax_rates: ['txr_1', 'txr_2'],
        trial_period_days: 14,
      },
    ],
    ['without a promotion code', { promotion_code: null }],
    ['with a list of one item', { line_items: [{ price: 'price_1', quantity: 2 }] }],
    [
      'with an item that has a description',
      { line_items: [{ price: 'price_1', quantity: 1, description: 'Credits' }] },
    ],
    ['with each field of the web SDK at its largest', LARGEST],
  ])('%s', async (_what, more) => {
    expect(await accepts({ ...REQUEST, ...more })).toBe(true);
  });
});

test('a checkout session is not created by an anonymous account', async () => {
  expect(await accepts(REQUEST, { provider: 'password' })).toBe(true);
  expect(await accepts(REQUEST, { provider: 'anonymous' })).toBe(false);
});

test('a checkout session is not created below a team or another user', async () => {
  expect(await accepts(REQUEST, { uid: 'acme' })).toBe(false);
});

const LONG = 'x'.repeat(501);
const NESTED = { deep: { deeper: true } };

describe('a checkout session is not created with', () => {
  test.each<[what: string, more: object]>([
    ['an answer', { url: 'https://phishing.example/' }],
    ['the id of a session', { sessionId: 'cs_1' }],
    ['an error', { error: { message: '' } }],
    ['a time of deletion', { deleteAt: new Date('2999-01-01') }],
    ['a field that the extension does not have', { admin: true }],
    ['an unknown mode', { mode: 'gift' }],
    ['a quantity that is no number', { quantity: ['1'] }],
    ['a price that is no text', { price: { id: 'price_1' } }],
    ['a price that is too long', { price: 'x'.repeat(256) }],
    ['an address that is too long', { success_url: `https://app.example.com/${'x'.repeat(2048)}` }],
    ['a return address that is too long', { cancel_url: `https://app.example.com/${'x'.repeat(2048)}` }],
    ['items that are no list', { line_items: 'price_1' }],
    ['several items', { line_items: [{ price: 'price_1' }, { price: 'price_2' }] }],
    ['an item that is no map', { line_items: ['price_1'] }],
    ['an item with an unknown field', { line_items: [{ price: 'price_1', price_data: NESTED }] }],
    ['an item with a long description', { line_items: [{ price: 'price_1', description: LONG }] }],
    ['an item with a map as its price', { line_items: [{ price: NESTED }] }],
    ['many entries of metadata', { metadata: mapOf(texts(16, 1)) }],
    ['a long text in metadata', { metadata: { note: LONG } }],
    ['a long name in metadata', { metadata: { ['x'.repeat(1001)]: 1 } }],
    ['a list in metadata', { metadata: { list: [null] } }],
    ['a map in metadata', { metadata: NESTED }],
    ['a time in metadata', { metadata: { at: new Date(0) } }],
    ['metadata that is no map', { metadata: 'spring' }],
    ['a list of lists in a map', { customer_update: { name: [NESTED] } }],
    ['a recovery with a map', { after_expiration: { recovery: NESTED } }],
    ['an unknown field of after_expiration', { after_expiration: { other: 'x' } }],
    ['after_expiration that is no map', { after_expiration: [NESTED] }],
    ['a recovery that is no map', { after_expiration: { recovery: [NESTED] } }],
    ['a map in a list', { payment_method_types: [NESTED] }],
    ['a list of tax rates that is a text', { tax_rates: LONG }],
    ['many values in several lists', { tax_rates: texts(8, 1), shipping_rates: texts(8, 1) }],
  ])('%s', async (_what, more) => {
    expect(await accepts({ ...REQUEST, ...more })).toBe(false);
  });

  test.each([
    'amount',
    'allow_promotion_codes',
    'automatic_tax',
    'billing_address_collection',
    'client',
    'client_reference_id',
    'collect_shipping_address',
    'currency',
    'expires_at',
    'invoice_creation',
    'locale',
    'payment_method_collection',
    'promotion_code',
    'setup_future_usage',
    'tax_id_collection',
    'trial_from_plan',
    'trial_period_days',
  ])('a long text, a list, a map or a time as %s', async (field) => {
    for (const value of [LONG, [null], NESTED, new Date(0)]) {
      expect(await accepts({ ...REQUEST, [field]: value })).toBe(false);
    }
  });

  test.each(['automatic_payment_methods', 'consent_collection', 'customer_update', 'metadata'])(
    'many values as %s',
    async (field) => {
      expect(await accepts({ ...REQUEST, [field]: mapOf(texts(16, 1)) })).toBe(false);
    },
  );
});
