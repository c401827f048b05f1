import {
  InvalidParameter,
  missingParameter,
  noSuchObject,
  noSuchReference,
  notAllowed,
} from '../../api/errors.ts';
import { page } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import { clearable, integer, metadata, names, oneOf, text } from '../../api/parameters/params.ts';
import type { Charge, Metadata, Refund } from '../../objects.ts';
import { emit, inTimeOf, newId, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { byChargeParams, isOfCharge } from '../by-charge.ts';

const LIST = { url: '/v1/refunds', noun: 'refund' };

interface Given {
  /** In the currency's smallest unit; everything that is left, if it is undefined. */
  amount: number | undefined;
  metadata: Metadata;
  reason: Refund['reason'];
}

/** Refunds a charge. Refuses more than is left, and a charge that is disputed. */
export function refundCharge(unscoped: Scope, charge: Charge, given: Given): Refund {
  const customer = unscoped.state.customers.get(charge.customer ?? '');
  const scope = customer ? inTimeOf(unscoped, customer) : unscoped;
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = given.amount ?? left;
  assertRefundable(scope, charge, { left, amount });
  const refund = scope.state.refunds.insert({
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: scope.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    ...destinationOf(charge),
    metadata: given.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: given.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  });
  emit(scope, 'refund.created', refund);
  update(scope, 'charge.refunded', charge, {
    amount_refunded: charge.amount_refunded + amount,
    refunded: left === amount,
  });
  return refund;
}

/**
 * Fails a refund that was accepted, such as one to a card that was closed. The merchant gets the money back. No event
 * is emitted for the charge; https://docs.stripe.com/refunds#failed-refunds.
 */
export function failRefund(scope: Scope, refund: Refund): Refund {
  const failed = endRefund(scope, refund, { failure_reason: 'expired_or_canceled_card', status: 'failed' });
  emit(scope, 'refund.failed', failed);
  return failed;
}

/** Cancels a refund, as the merchant can in the dashboard. https://docs.stripe.com/api/refunds/cancel */
export function cancelRefund(scope: Scope, refund: Refund): Refund {
  return endRefund(scope, refund, { failure_reason: 'merchant_request', status: 'canceled' });
}

function endRefund(
  scope: Scope,
  refund: Refund,
  outcome: Required<Pick<Refund, 'failure_reason' | 'status'>>,
): Refund {
  const charge = scope.state.charges.get(refund.charge);
  if (charge) {
    const amount_refunded = charge.amount_refunded - refund.amount;
    scope.state.charges.patch(charge.id, { amount_refunded, refunded: false });
  }
  return update(scope, 'refund.updated', refund, outcome);
}

/** Where the money goes. A refund of a bank debit shows nothing here. */
function destinationOf({ payment_method_details: paid }: Charge): Pick<Refund, 'destination_details'> {
  if (paid?.type !== 'card') return {};
  return {
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
  };
}

function assertRefundable(
  { state }: World,
  charge: Charge,
  { left, amount }: { left: number; amount: number },
): void {
  if (!charge.paid) throw notAllowed(`Charge ${charge.id} has not been paid.`);
  const lost = state.disputes.some(
    (row) => row.charge === charge.id && !row.is_charge_refundable && row.status !== 'won',
  );
  if (lost)
    throw notAllowed(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed');
  if (left === 0)
    throw notAllowed(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  if (amount > left) {
    throw new InvalidParameter(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      'amount',
    );
  }
}

function chargeToRefund(
  { state }: World,
  {
    charge: id,
    payment_intent: intentId,
  }: { charge?: string | undefined; payment_intent?: string | undefined },
): Charge {
  if (id === undefined && intentId === undefined) throw missingParameter('payment_intent');
  const intent = state.paymentIntents.get(intentId ?? '');
  if (intentId !== undefined && !intent) throw noSuchReference('payment_intent', intentId, 'payment_intent');
  const wanted = id ?? intent?.latest_charge ?? '';
  const charge = state.charges.get(wanted);
  if (id !== undefined && !charge) throw noSuchReference('charge', id, 'charge');
  if (!charge) throw notAllowed('This PaymentIntent does not have a successful charge to refund.');
  return charge;
}

/** https://docs.stripe.com/api/refunds */
export const refundOperations = [
  operation({
    method: 'POST',
    path: LIST.url,
    params: {
      amount: integer(1),
      charge: text(),
      metadata: clearable(metadata()),
      payment_intent: text(),
      reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
    },
    unsupported: names('currency customer instructions_email origin refund_application_fee reverse_transfer'),
    run: ({ scope, params: { amount, metadata: patch, reason, ...target } }) =>
      refundCharge(scope, chargeToRefund(scope, target), {
        amount,
        metadata: mergeMetadata({}, patch),
        reason: reason ?? null,
      }),
  }),
  operation({
    method: 'GET',
    path: LIST.url,
    params: byChargeParams,
    run: ({ scope, params }) => page(scope.state.refunds, isOfCharge(params), params, LIST),
  }),
  operation({
    method: 'GET',
    path: `${LIST.url}/:id`,
    params: {},
    run: ({ scope, id }) => requestedRefund(scope, id),
  }),
  operation({
    method: 'POST',
    path: `${LIST.url}/:id`,
    params: { metadata: clearable(metadata()) },
    run: ({ scope, id, params }) => {
      const refund = requestedRefund(scope, id);
      return update(scope, 'refund.updated', refund, {
        metadata: mergeMetadata(refund.metadata ?? {}, params.metadata),
      });
    },
  }),
];

function requestedRefund({ state }: World, id: string): Refund {
  const refund = state.refunds.get(id);
  if (!refund) throw noSuchObject('refund', id);
  return refund;
}
