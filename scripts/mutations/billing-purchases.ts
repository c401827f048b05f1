import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/billing';

export const BILLING_PURCHASES_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A session of live mode that Stripe does not know is not taken for expired',
    file: `${ROOM}/stripe/checkout-sessions.ts`,
    from: 'if (isMissing(error) && !isSessionOfLiveMode(sessionId)) return undefined;',
    to: 'if (isMissing(error)) return undefined;',
    tests: ['tests/stories/wrong-stripe-key.test.ts'],
  },
  {
    guard: 'A bank transfer of which a part has arrived is not abandoned',
    file: `${ROOM}/checkout/processing/unsent-transfer.service.ts`,
    from: 'return remaining === intent.amount;',
    to: 'return remaining !== undefined;',
    tests: ['tests/stories/late-payments.test.ts'],
  },
  {
    guard: 'A voucher is not abandoned by another order',
    file: `${ROOM}/checkout/processing/unsent-transfer.service.ts`,
    from: 'intent.next_action?.display_bank_transfer_instructions?.amount_remaining;',
    to: 'intent.next_action?.display_bank_transfer_instructions?.amount_remaining ?? intent.amount;',
    tests: ['tests/stories/late-payments.test.ts'],
  },
  {
    guard: 'A cancelled payment ends its purchase',
    file: `${ROOM}/webhook/webhook.service.ts`,
    from: "'payment_intent.canceled': [copyPaymentIntentForExtension, syncPaymentOfEvent],",
    to: "'payment_intent.canceled': [copyPaymentIntentForExtension],",
    tests: ['tests/stories/late-payments.test.ts'],
  },
  {
    guard: 'A purchase waits for a voucher that is paid after days',
    file: `${ROOM}/purchases/purchase-state.ts`,
    from: 'intent !== null && FAILED.has(intent.status)',
    to: "intent?.status !== 'processing'",
    tests: ['tests/stories/late-payments.test.ts'],
  },
  {
    guard: 'A plan that is bought once ends a subscription with a planned change',
    file: `${ROOM}/purchases/covered.service.ts`,
    from: '      await discardPlannedChange(stripe, subscription);\n',
    to: '',
    tests: ['tests/stories/covered-subscriptions.test.ts'],
  },
  {
    guard: 'A plan whose payment is processing is not sold again',
    file: `${ROOM}/checkout/processing/processing-payments.store.ts`,
    from: "throw refusal('payment_processing');",
    to: 'return;',
    tests: ['tests/stories/late-payments.test.ts'],
  },
  {
    guard: 'The open page of a subscription expires when its plan is bought once',
    file: `${ROOM}/purchases/sync-purchase.service.ts`,
    from: '  await withdrawCoveredCheckout(backend, customerId, synced);\n',
    to: '',
    tests: ['tests/stories/covered-subscriptions.test.ts', 'tests/stories/late-payments.test.ts'],
  },
  {
    guard: 'A subscription that is bought beside an owned plan ends with its period',
    file: `${ROOM}/webhook/events/checkout-events.service.ts`,
    from: '  if (synced !== undefined) await cancelIfCovered(backend, synced, idOf(subscription));\n',
    to: '',
    tests: ['tests/stories/covered-subscriptions.test.ts'],
  },
  {
    guard: 'The event of a payment writes a purchase that is missing',
    file: `${ROOM}/purchases/sync-purchase.service.ts`,
    from: 'existing ?? (await describeMissing(backend, target))',
    to: 'existing',
    tests: ['tests/backup-restore.test.ts', 'tests/stories/purchase-faults.test.ts'],
  },
  {
    guard: 'A purchase that has got another page meanwhile is not dropped',
    file: `${ROOM}/checkout/purchases/purchase.store.ts`,
    from: '    if (stored !== undefined && stored.sessionId !== purchase.sessionId) return;\n',
    to: '',
    tests: ['tests/stories/one-time-purchase-pages.test.ts'],
  },
  {
    guard: 'A change of credits whose commit was not answered is no repetition',
    file: `${ROOM}/purchases/credits.service.ts`,
    from: 'const isOurs = callId !== undefined && entry.callId === callId;',
    to: 'const isOurs = callId === null;',
    tests: ['tests/lost-commits.test.ts'],
  },
  {
    guard: 'Purchases that cannot be checked do not hinder older ones',
    file: `${ROOM}/reconcile/reconcile.service.ts`,
    from: "return query.where(field, '<=', now).orderBy(field, 'desc').streamWithDamagedInOrder(PAGE_SIZE);",
    to: "return (async function* () { yield* await query.where(field, '<=', now).orderBy(field, 'desc').limit(PAGE_SIZE).findPaths(); })();",
    tests: ['tests/billing-due.test.ts'],
  },
  {
    guard: 'A round whose tasks were not enqueued is enqueued again',
    file: `${ROOM}/reconcile/round.service.ts`,
    from: 'const isToEnqueue = round === own || isIdle(stored, now);',
    to: 'const isToEnqueue = false;',
    tests: ['tests/billing-rounds.test.ts'],
  },
];
