import type { Metadata, PaymentIntent } from '../objects.ts';
import { newId } from '../world.ts';
import type { World } from '../world.ts';

/** The values of a payment that its caller chooses. */
export interface Payment {
  /** In the currency's smallest unit. */
  amount: number;
  currency: string;
  /** Null for a guest. */
  customer: string | null;
  description: string | null;
  metadata: Metadata;
  receiptEmail: string | null;
  /** Whether the card is saved for later payments. */
  setupFutureUsage: 'off_session' | 'on_session' | null;
  statementDescriptor: string | null;
}

/** A payment intent that waits for a card; the caller stores it. */
export function newPaymentIntent(world: World, payment: Payment): PaymentIntent {
  const id = newId('pi');
  return {
    ...blankIntent(id, world.now()),
    amount: payment.amount,
    currency: payment.currency,
    customer: payment.customer,
    description: payment.description,
    metadata: payment.metadata,
    receipt_email: payment.receiptEmail,
    setup_future_usage: payment.setupFutureUsage,
    statement_descriptor: payment.statementDescriptor,
  };
}

type Chosen =
  | 'amount'
  | 'currency'
  | 'customer'
  | 'description'
  | 'metadata'
  | 'receipt_email'
  | 'setup_future_usage'
  | 'statement_descriptor';

function blankIntent(id: string, now: number): Omit<PaymentIntent, Chosen> {
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${newId('', 25).slice(1)}`,
    confirmation_method: 'automatic',
    created: now,
    customer_account: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: { card: CARD_OPTIONS },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    review: null,
    shipping: null,
    source: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

const CARD_OPTIONS = {
  installments: null,
  mandate_options: null,
  network: null,
  request_three_d_secure: 'automatic',
} as const;
