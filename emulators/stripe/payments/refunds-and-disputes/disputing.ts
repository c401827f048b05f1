import { disputeOf } from '../../billing/cards.ts';
import type { Charge, Dispute, PaymentMethod } from '../../objects.ts';
import { emit, newId } from '../../world.ts';
import type { Scope } from '../../world.ts';

export type DisputeReason = 'fraudulent' | 'general' | 'product_not_received';

/** Days to answer a dispute. */
const ANSWER_DAYS = 9;

/** Test cards whose payments the cardholder disputes immediately; https://docs.stripe.com/testing#disputes. */
export function disputeByCard(scope: Scope, charge: Charge, method: PaymentMethod): void {
  const number = scope.state.cardNumbers.get(method.id)?.number ?? '';
  const wanted = disputeOf(number);
  if (wanted) openDispute(scope, charge, wanted);
}

/** The cardholder disputes a charge. An inquiry does not withdraw the money. */
export function openDispute(
  scope: Scope,
  charge: Charge,
  { reason, inquiry = false }: { reason: DisputeReason; inquiry?: boolean },
): Dispute {
  const dispute = scope.state.disputes.insert({
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: scope.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: scope.now() + ANSWER_DAYS * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: {
        brand: charge.payment_method_details?.card?.brand ?? 'visa',
        case_type: inquiry ? 'inquiry' : 'chargeback',
        network: charge.payment_method_details?.card?.brand ?? 'visa',
        network_reason_code: reason === 'fraudulent' ? '10.4' : '13.1',
      },
      type: 'card',
    },
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  });
  scope.state.charges.patch(charge.id, { disputed: true });
  emit(scope, 'charge.dispute.created', dispute);
  if (!inquiry) emit(scope, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Closes a dispute: won returns the money, lost leaves it with the cardholder. */
export function closeDispute(scope: Scope, dispute: Dispute, outcome: 'lost' | 'won'): Dispute {
  const inquiry = dispute.status.startsWith('warning_');
  const closed = scope.state.disputes.patch(dispute.id, {
    status: inquiry && outcome === 'won' ? 'warning_closed' : outcome,
    is_charge_refundable: false,
  });
  emit(scope, 'charge.dispute.closed', closed);
  if (outcome === 'won' && !inquiry) emit(scope, 'charge.dispute.funds_reinstated', closed);
  return closed;
}

const NO_EVIDENCE: Dispute['evidence'] = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
