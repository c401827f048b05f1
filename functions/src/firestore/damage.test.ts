import { creditSamples } from '@hearth/shared/testing/credit-samples';
import { Timestamp } from 'firebase-admin/firestore';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { NESTED_COLLECTIONS, ROOT_COLLECTIONS } from './collections.ts';
import { parseDocument } from './convert.ts';
import { DamagedDocument, requireIntact } from './damage.ts';
import { customerSample } from './testing/customer-sample.ts';
import { userSamples } from './testing/user-samples.ts';

const AT = Timestamp.fromMillis(1_700_000_000_123);

/** A reference of the client. It refers to itself, like a real one. */
class Reference {
  readonly path: string;
  readonly firestore = { self: this };

  constructor(path = 'products/one') {
    this.path = path;
  }

  toJSON() {
    return this.path;
  }
}

interface Sample {
  /** A complete document as Firestore gives it. */
  document: Readonly<Record<string, unknown>>;
  /** Fields without which the document is still intact. */
  optional?: readonly string[];
  /** Fields with a reference. */
  references?: readonly string[];
  /** Fields that may have any value. */
  open?: readonly string[];
}

const SAMPLES: Readonly<Record<keyof typeof ROOT_COLLECTIONS | keyof typeof NESTED_COLLECTIONS, Sample>> = {
  auditLog: {
    document: {
      teamId: 't',
      actorId: 'u',
      action: 'team.created',
      target: 't',
      at: AT,
      details: { name: 'Acme', from: null },
      deleteAt: AT,
    },
    optional: ['details', 'deleteAt'],
  },
  checkoutSessions: {
    document: {
      sessionId: 'cs_1',
      url: 'https://checkout.stripe.com/c/pay/cs_1',
      created: AT,
      error: { message: 'The price is not on sale.' },
      deleteAt: AT,
      price: 'price_1',
    },
    optional: ['price', 'sessionId', 'url', 'created', 'error', 'deleteAt'],
    open: ['price', 'sessionId', 'url', 'created', 'error', 'deleteAt'],
  },
  ...creditSamples(AT),
  customers: customerSample(AT),
  customerLinks: { document: { stripeId: 'cus_1' }, optional: ['stripeId'], open: ['stripeId'] },
  extensionInvoices: { document: { id: 'in_1' }, optional: ['id'], open: ['id'] },
  planChanges: { document: { customerId: 'u', type: 'user', from: 'free', to: 'pro', at: AT } },
  hashKeys: { document: { key: 'c2VjcmV0', createdAt: AT } },
  invitations: {
    document: {
      teamId: 't',
      teamName: 'Acme',
      email: 'ada@example.com',
      role: 'member',
      status: 'pending',
      invitedBy: 'u',
      secretHash: 'hash',
      createdAt: AT,
      expiresAt: AT,
      respondedAt: null,
      askedAt: AT,
      deleteAt: AT,
    },
    optional: ['invitedBy', 'secretHash', 'askedAt'],
    open: ['invitedBy'],
  },
  mail: {
    document: {
      to: ['ada@example.com'],
      message: { subject: 'Hello' },
      sentBy: 'u',
      headers: {},
      delivery: {
        state: 'PENDING',
        startTime: AT,
        endTime: null,
        attempts: 0,
        error: null,
        leaseExpireTime: null,
        leaseKey: null,
        dueTime: AT,
        info: null,
      },
      deleteAt: AT,
    },
    optional: ['to', 'message', 'sentBy', 'headers', 'delivery', 'deleteAt'],
    // Damage to a part of a mail is recorded in the mail itself, so that an operator sees it there.
    open: ['to', 'message', 'sentBy', 'headers', 'delivery', 'deleteAt'],
  },
  mailRecipients: {
    document: {
      token: 'abc',
      optedOutAt: null,
      count: 1,
      countedUntil: AT,
      lastSentAt: { a: AT },
      deleteAt: AT,
    },
  },
  members: {
    document: { uid: 'u', role: 'owner', email: null, displayName: 'Ada', joinedAt: AT },
    optional: ['email', 'displayName'],
  },
  payments: {
    document: {
      amount: 900,
      amount_capturable: 0,
      amount_received: 900,
      created: 1_700_000_000,
      currency: 'eur',
      customer: 'cus_1',
      description: null,
      invoice: 'in_1',
      metadata: { a: 'b' },
      payment_method_types: ['card'],
      status: 'succeeded',
      prices: [],
    },
    optional: [
      'amount',
      'amount_capturable',
      'amount_received',
      'created',
      'currency',
      'customer',
      'description',
      'invoice',
      'metadata',
      'payment_method_types',
      'status',
      'prices',
    ],
  },
  prices: {
    document: {
      active: true,
      product: 'prod_1',
      lookup_key: 'pro_month',
      billing_scheme: 'per_unit',
      tiers_mode: null,
      currency: 'eur',
      description: null,
      type: 'recurring',
      unit_amount: 900,
      interval: 'month',
      interval_count: 1,
      trial_period_days: null,
      tax_behavior: 'exclusive',
      metadata: { a: 'b' },
    },
  },
  products: {
    document: {
      active: true,
      name: 'Pro',
      description: null,
      role: 'pro',
      images: [],
      metadata: {},
      tax_code: null,
    },
  },
  rateLimits: { document: { points: 1, expiresAt: AT } },
  stripeEvents: { document: { type: 'invoice.paid', processedAt: AT, expiresAt: AT } },
  subscriptions: {
    document: {
      status: 'active',
      role: 'pro',
      metadata: { firebaseUID: 'u' },
      items: [{ id: 'si_1', price: 'price_1', lookupKey: 'pro_month', product: 'prod_1', quantity: 1 }],
      price: new Reference('products/prod_1/prices/price_1'),
      product: new Reference('products/prod_1'),
      prices: [new Reference('products/prod_1/prices/price_1')],
      priceId: 'price_1',
      quantity: 1,
      cancel_at_period_end: false,
      created: AT,
      current_period_start: AT,
      current_period_end: AT,
      cancel_at: null,
      canceled_at: null,
      ended_at: null,
      trial_start: null,
      trial_end: null,
      past_due_since: null,
      grace_until: null,
      collection_paused: { behavior: 'void', resumes_at: AT },
      latest_invoice: {
        id: 'in_1',
        status: 'paid',
        amount_due: 900,
        currency: 'eur',
        created: AT,
        next_payment_attempt: null,
        hosted_invoice_url: null,
      },
      schedule: null,
      stripeLink: 'https://dashboard.stripe.com/subscriptions/sub_1',
    },
    // Documents of the Stripe extension and of older versions lack them.
    optional: [
      'items',
      'product',
      'prices',
      'priceId',
      'past_due_since',
      'grace_until',
      'collection_paused',
      'latest_invoice',
      'schedule',
    ],
    references: ['price', 'product'],
  },
  sweeps: {
    document: {
      list: 'prices',
      after: 'price_1',
      startedAt: AT,
      lost: 1,
      lostBefore: 1,
      since: AT,
      round: '2026',
      unvisited: [{ from: 1, to: 2 }],
      progressAt: AT,
    },
    optional: [
      'list',
      'after',
      'startedAt',
      'lost',
      'lostBefore',
      'since',
      'round',
      'unvisited',
      'progressAt',
    ],
  },
  teams: {
    document: {
      name: 'Acme',
      slug: 'acme',
      ownerId: 'u',
      seatLimit: 3,
      plan: 'free',
      addOns: { storage: 1 },
      entitlements: ['export'],
      isCustomer: true,
      hasRunningSubscription: false,
      billingDependsOnMembers: false,
      createdAt: AT,
      transfer: { from: 'u', to: 'v', coOwner: false, offeredAt: AT, expiresAt: AT },
      deletingSince: AT,
    },
    optional: [
      'addOns',
      'entitlements',
      'isCustomer',
      'hasRunningSubscription',
      'billingDependsOnMembers',
      'transfer',
      'deletingSince',
    ],
  },
  teamSlugs: { document: { teamId: 't' } },
  uploads: {
    document: {
      ownerId: 'u',
      createdBy: 'u',
      name: 'a.png',
      contentType: 'image/png',
      size: 10,
      path: 'uploads/u/1/a.png',
      generation: '1',
      md5Hash: 'hash',
      source: 'api',
      visibility: 'private',
      status: 'stored',
      reason: null,
      url: 'https://example.com/a.png',
      dimensions: { width: 1, height: 1 },
      variants: [{ width: 1, height: 1, path: 'variants/u/1/1.webp', url: 'https://example.com/1', size: 5 }],
      possibleVariants: [],
      createdAt: AT,
      deleteAt: null,
    },
    optional: [
      'generation',
      'md5Hash',
      'visibility',
      'reason',
      'dimensions',
      'variants',
      'possibleVariants',
      'deleteAt',
    ],
  },
  ...userSamples(AT),
};

const schemas: Readonly<Record<string, { schema: z.core.$ZodType }>> = {
  ...ROOT_COLLECTIONS,
  ...NESTED_COLLECTIONS,
};

describe.each(Object.entries(SAMPLES))(
  'a document of %s',
  (name, { document, optional = [], references = [], open = [] }) => {
    const parse = (data: Readonly<Record<string, unknown>>) => {
      const schema = schemas[name]?.schema;
      if (schema === undefined) throw new Error(`There is no collection ${name}.`);
      return requireIntact(parseDocument(schema, `${name}/id`, data));
    };
    const fields = Object.keys(document);

    test('is intact with all of its fields, and has a Date for every Timestamp', () => {
      expect(JSON.stringify(parse(document))).toBe(
        JSON.stringify(document).replaceAll(JSON.stringify(AT), JSON.stringify(AT.toDate())),
      );
    });

    test('is intact with fields that are not ours', () => {
      expect(parse({ ...document, addedByAnAdmin: new Reference() })).toMatchObject({});
    });

    test.each(fields)('is checked for the field %s', (field) => {
      const rest = Object.fromEntries(Object.entries(document).filter(([key]) => key !== field));
      const read = () => parse(rest);
      if (optional.includes(field)) expect(read).not.toThrow();
      else expect(read).toThrow(DamagedDocument);
    });

    const isStrict = (field: string) => !open.includes(field) && !references.includes(field);
    test.each(fields.filter(isStrict))('is damaged by a reference in %s', (field) => {
      expect(() => parse({ ...document, [field]: new Reference() })).toThrow(DamagedDocument);
    });

    test.each(fields.filter((field) => !open.includes(field)))(
      'is damaged by a list of lists in %s',
      (field) => {
        expect(() => parse({ ...document, [field]: [[1]] })).toThrow(DamagedDocument);
      },
    );
  },
);
