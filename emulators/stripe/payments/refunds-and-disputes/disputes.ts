import { noSuchObject, notAllowed } from '../../api/errors.ts';
import { page } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import { clearable, flag, metadata, names, shape, text } from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import type { Dispute } from '../../objects.ts';
import { definedOnly } from '../../store/patch.ts';
import { emit, inTimeOf } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { byChargeParams, isOfCharge } from '../by-charge.ts';
import { closeDispute } from './disputing.ts';

const LIST = { url: '/v1/disputes', noun: 'dispute' };

const evidence = {
  customer_email_address: text(),
  customer_name: text(),
  product_description: text(20_000),
  uncategorized_text: text(20_000),
};

const otherEvidence = names(`
  access_activity_log appeal billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal
  customer_communication customer_purchase_ip customer_signature duplicate_charge_documentation
  duplicate_charge_explanation duplicate_charge_id enhanced_evidence receipt refund_policy refund_policy_disclosure
  refund_refusal_explanation service_date service_documentation shipping_address shipping_carrier shipping_date
  shipping_documentation shipping_tracking_number uncategorized_file
`);

const updateParams = {
  evidence: shape(evidence, otherEvidence),
  metadata: clearable(metadata()),
  submit: flag(),
};

/** Test evidence decides a dispute: https://docs.stripe.com/testing#disputes. */
function answer(scope: Scope, dispute: Dispute, params: Parsed<typeof updateParams>): Dispute {
  const { evidence: given, metadata: patch, submit = true } = params;
  if (given && isClosed(dispute)) throw notAllowed('This dispute is already closed.', 'dispute_closed');
  const submitted = given !== undefined && submit;
  const answered = scope.state.disputes.patch(dispute.id, {
    metadata: mergeMetadata(dispute.metadata, patch),
    evidence: { ...dispute.evidence, ...definedOnly(given ?? {}) },
    ...(submitted && submission(dispute)),
  });
  emit(scope, 'charge.dispute.updated', answered);
  if (!submitted) return answered;
  if (given.uncategorized_text === 'winning_evidence') return closeDispute(scope, answered, 'won');
  if (given.uncategorized_text === 'losing_evidence') return closeDispute(scope, answered, 'lost');
  return answered;
}

function submission({ evidence_details: details, status }: Dispute): Partial<Dispute> {
  return {
    evidence_details: {
      ...details,
      has_evidence: true,
      submission_count: details.submission_count + 1,
      submission_method: 'manual',
    },
    status: status === 'warning_needs_response' ? 'warning_under_review' : 'under_review',
  };
}

function isClosed({ status }: Dispute): boolean {
  return ['lost', 'warning_closed', 'won'].includes(status);
}

/** https://docs.stripe.com/api/disputes */
export const disputeOperations = [
  operation({
    method: 'GET',
    path: LIST.url,
    params: byChargeParams,
    run: ({ scope, params }) => page(scope.state.disputes, isOfCharge(params), params, LIST),
  }),
  operation({
    method: 'GET',
    path: `${LIST.url}/:id`,
    params: {},
    run: ({ scope, id }) => requestedDispute(scope, id),
  }),
  operation({
    method: 'POST',
    path: `${LIST.url}/:id`,
    params: updateParams,
    unsupported: ['intended_submission_method'],
    run: ({ scope, id, params }) => {
      const dispute = requestedDispute(scope, id);
      return answer(timeOf(scope, dispute), dispute, params);
    },
  }),
  operation({
    method: 'POST',
    path: `${LIST.url}/:id/close`,
    params: {},
    run: ({ scope, id }) => {
      const dispute = requestedDispute(scope, id);
      if (isClosed(dispute)) throw notAllowed('This dispute is already closed.', 'dispute_closed');
      return closeDispute(timeOf(scope, dispute), dispute, 'lost');
    },
  }),
];

/** The scope in the time of the customer whose charge is disputed. */
function timeOf(scope: Scope, dispute: Dispute): Scope {
  const customer = scope.state.charges.get(dispute.charge)?.customer;
  return inTimeOf(scope, scope.state.customers.get(customer ?? '') ?? { test_clock: null });
}

function requestedDispute({ state }: World, id: string): Dispute {
  const dispute = state.disputes.get(id);
  if (!dispute) throw noSuchObject('dispute', id);
  return dispute;
}
