import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { phasesWithChange, phasesWithItems } from './phases.ts';

type Phase = Stripe.SubscriptionSchedule.Phase;
type PhaseItem = Phase['items'][number];

const START = 1_700_000_000;
const END = 1_702_592_000;

/** A phase as Stripe returns it, if nothing was set for it. */
const PLAIN: Phase = {
  add_invoice_items: [],
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor: null,
  billing_thresholds: null,
  collection_method: null,
  currency: 'eur',
  default_payment_method: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  end_date: END,
  invoice_settings: null,
  items: [],
  metadata: null,
  on_behalf_of: null,
  proration_behavior: 'create_prorations',
  start_date: START,
  transfer_data: null,
  trial_end: null,
};

const usageLine = (price: string, settings: Partial<PhaseItem>): PhaseItem => ({
  billing_thresholds: null,
  discounts: [],
  metadata: null,
  plan: price,
  price,
  tax_rates: [],
  ...settings,
});
const line = (price: string, settings: Partial<PhaseItem> = {}) =>
  usageLine(price, { quantity: 1, ...settings });

const taxRate = (id: string) => ({ id, object: 'tax_rate' }) as Stripe.TaxRate;

/** The phases of a change from `price_pro` to `price_max`. The other line items stay. */
function changed(current: Partial<Phase>, changesInterval = false) {
  const phase = { ...PLAIN, items: [line('price_pro')], ...current };
  const past = { ...PLAIN, start_date: START - 1000, end_date: START, items: [line('price_past')] };
  const schedule = {
    id: 'sub_sched_1',
    current_phase: { start_date: START, end_date: END },
    phases: [past, phase],
  } as Stripe.SubscriptionSchedule;
  const others = phase.items.slice(1).map(({ price }) => price as string);
  return phasesWithChange(
    schedule,
    {
      items: [
        { price: 'price_max', quantity: 3, formerPrice: 'price_pro' },
        ...others.map((price) => ({ price, quantity: 1, formerPrice: price })),
      ],
      changesInterval,
    },
    (price) => price === 'price_calls',
  );
}

test('a phase without settings is repeated, and the changed phase follows', () => {
  expect(changed({})).toEqual([
    {
      automatic_tax: { enabled: false },
      currency: 'eur',
      end_date: END,
      items: [{ price: 'price_pro', quantity: 1 }],
      start_date: START,
    },
    {
      automatic_tax: { enabled: false },
      currency: 'eur',
      items: [{ price: 'price_max', quantity: 3 }],
      proration_behavior: 'none',
    },
  ]);
});

test('both phases have the settings of the current phase', () => {
  const settings = {
    application_fee_percent: 2,
    automatic_tax: { enabled: true, liability: { type: 'account', account: 'acct_1' } },
    billing_thresholds: { amount_gte: 5000 },
    collection_method: 'send_invoice',
    default_payment_method: 'pm_1',
    default_tax_rates: ['txr_1', 'txr_2'],
    description: 'For the office',
    discounts: [{ discount: 'di_1' }, { promotion_code: 'promo_1' }, { coupon: 'SPRING' }],
    invoice_settings: {
      account_tax_ids: ['atxi_1'],
      custom_fields: [{ name: 'Order', value: '17' }],
      days_until_due: 30,
      issuer: { type: 'self' },
    },
    on_behalf_of: 'acct_1',
    transfer_data: { amount_percent: 80, destination: 'acct_1' },
  };
  const phases = changed({
    application_fee_percent: 2,
    automatic_tax: {
      disabled_reason: null,
      enabled: true,
      liability: { type: 'account', account: 'acct_1' },
    },
    billing_thresholds: { amount_gte: 5000, reset_billing_cycle_anchor: null },
    collection_method: 'send_invoice',
    default_payment_method: 'pm_1',
    default_tax_rates: [taxRate('txr_1'), taxRate('txr_2')],
    description: 'For the office',
    discounts: [
      { coupon: 'SPRING', discount: 'di_1', promotion_code: 'promo_1' },
      { coupon: 'SPRING', discount: null, promotion_code: 'promo_1' },
      { coupon: 'SPRING', discount: null, promotion_code: null },
    ],
    invoice_settings: {
      account_tax_ids: ['atxi_1'],
      custom_fields: [{ name: 'Order', value: '17' }],
      days_until_due: 30,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    on_behalf_of: 'acct_1',
    transfer_data: { amount_percent: 80, destination: 'acct_1' },
  });
  for (const phase of phases) expect(phase).toMatchObject(settings);
});

test('line items keep their settings, also if their price changes', () => {
  const settings = {
    billing_thresholds: { usage_gte: 10 },
    discounts: [{ coupon: null, discount: 'di_1', promotion_code: null }],
    metadata: { room: 'B' },
    tax_rates: [taxRate('txr_1')],
  };
  const params = {
    billing_thresholds: { usage_gte: 10 },
    discounts: [{ discount: 'di_1' }],
    metadata: { room: 'B' },
    tax_rates: ['txr_1'],
  };
  const calls = usageLine('price_calls', { tax_rates: [taxRate('txr_2')] });
  const [current, planned] = changed({ items: [line('price_pro', settings), calls] });
  const usage = { price: 'price_calls', tax_rates: ['txr_2'] };
  expect(current.items).toEqual([{ price: 'price_pro', quantity: 1, ...params }, usage]);
  expect(planned.items).toEqual([{ price: 'price_max', quantity: 3, ...params }, usage]);
});

test('a trial and metadata stay in the current phase', () => {
  const [current, planned] = changed({ metadata: { deal: '17' }, trial_end: END });
  expect(current).toMatchObject({ metadata: { deal: '17' }, trial_end: END });
  expect(planned).not.toHaveProperty('metadata');
  expect(planned).not.toHaveProperty('trial_end');
});

test('settings for the start of a phase are not repeated', () => {
  const bonus = { price: 'price_setup', discounts: [] } as unknown as Phase['add_invoice_items'][number];
  for (const phase of changed({ add_invoice_items: [bonus], billing_cycle_anchor: 'phase_start' })) {
    expect(phase).not.toHaveProperty('add_invoice_items');
    expect(phase).not.toHaveProperty('billing_cycle_anchor');
  }
});

test('another interval begins a new period, which Stripe bills at once', () => {
  const [current, planned] = changed({}, true);
  expect(current).not.toHaveProperty('billing_cycle_anchor');
  expect(planned).toHaveProperty('billing_cycle_anchor', 'phase_start');
});

test('a schedule without a current phase cannot have a planned change', () => {
  const schedule = { id: 'sub_sched_1', current_phase: null, phases: [PLAIN] } as Stripe.SubscriptionSchedule;
  const change = { items: [], changesInterval: false };
  expect(() => phasesWithChange(schedule, change, () => false)).toThrow('sub_sched_1 has no current phase');
});

test('a later phase with other line items keeps everything else', () => {
  const settings = {
    collection_method: 'send_invoice',
    discounts: [{ coupon: null, discount: 'di_1', promotion_code: null }],
    metadata: { deal: '18' },
    proration_behavior: 'none',
    billing_cycle_anchor: 'phase_start',
    description: 'For the office',
  } as const;
  const fee = {
    discountable: null,
    discounts: [],
    metadata: null,
    period: { start: { type: 'phase_start' }, end: { type: 'timestamp', timestamp: END + 5 } },
    price: 'price_setup',
    quantity: 1,
    tax_rates: [taxRate('txr_1')],
  } as unknown as Phase['add_invoice_items'][number];
  const current = { ...PLAIN, items: [line('price_pro', { quantity: 2 })] };
  const calls = usageLine('price_calls', {});
  const later: Phase = {
    ...PLAIN,
    ...settings,
    discounts: [...settings.discounts],
    add_invoice_items: [fee],
    items: [line('price_max', { quantity: 2, metadata: { room: 'B' } }), calls],
    start_date: END,
    end_date: END + 1000,
  };
  const schedule = {
    id: 'sub_sched_1',
    current_phase: { start_date: START, end_date: END },
    phases: [current, later],
  } as Stripe.SubscriptionSchedule;
  const items = [
    { ...(later.items[0] as PhaseItem), quantity: 5 },
    calls,
    { price: 'price_seat', quantity: 1 },
  ];
  const [first, second] = phasesWithItems(schedule, later, items);
  expect(first).toMatchObject({
    items: [{ price: 'price_pro', quantity: 2 }],
    start_date: START,
    end_date: END,
  });
  expect(first).not.toHaveProperty('proration_behavior');
  expect(second).toEqual({
    ...settings,
    automatic_tax: { enabled: false },
    currency: 'eur',
    discounts: [{ discount: 'di_1' }],
    add_invoice_items: [
      {
        period: { start: { type: 'phase_start' }, end: { type: 'timestamp', timestamp: END + 5 } },
        price: 'price_setup',
        quantity: 1,
        tax_rates: ['txr_1'],
      },
    ],
    items: [
      { price: 'price_max', quantity: 5, metadata: { room: 'B' } },
      { price: 'price_calls' },
      { price: 'price_seat', quantity: 1 },
    ],
    start_date: END,
    end_date: END + 1000,
  });
});
