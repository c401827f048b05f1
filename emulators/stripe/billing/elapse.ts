import type { Invoice, Subscription } from '../objects.ts';
import { debitUnderWay, DEBIT_TIME } from '../payments/debits.ts';
import { expireSession } from '../resources/checkout/checkout-sessions.ts';
import type { Store } from '../store/store.ts';
import { at, emit, withoutRequest, update } from '../world.ts';
import type { Scope, World } from '../world.ts';
import { endDiscount } from './discounts/discounts.ts';
import { collect, finalizeAndCollect, settleDebit } from './invoices/collect.ts';
import { endOnSchedule } from './invoices/final-invoice.ts';
import { voidInvoice } from './invoices/invoices.ts';
import { periodEnd } from './period.ts';
import { scheduleOf } from './schedules/schedule-object.ts';
import { advanceSchedule } from './schedules/schedules.ts';
import { hasEnded } from './subscriptions/ending.ts';
import { expirePendingUpdate } from './subscriptions/pending-update.ts';
import { renew } from './subscriptions/renewing.ts';
import { expireIncomplete, INCOMPLETE_TIME } from './subscriptions/starting.ts';

/** Time between `trial_will_end` and the end of the trial, in seconds. */
export const TRIAL_NOTICE = 3 * 24 * 60 * 60;

/** A change that time brings about, without a request. */
interface Due {
  at: number;
  run: (scope: Scope) => unknown;
}

/**
 * Runs all changes that are due, in order and each at its own time. There is no timer, so every request calls this
 * first.
 */
export function elapse(world: World): void {
  const { state } = world;
  const now = world.now();
  if (nextDueOf(state) <= now) runDueChanges(world, null, now);
}

/** The earliest time at which something may be due. Looks only at the rows that were written since the last call. */
function nextDueOf(state: Store): number {
  const ids = state.written.take();
  if (ids === undefined) state.nextDue = -Infinity;
  else
    for (const id of ids)
      for (const due of dueOfRow(state, id)) state.nextDue = Math.min(state.nextDue, due.at);
  return state.nextDue;
}

function* dueOfRow(state: Store, id: string): Iterable<Due> {
  const invoice = state.invoices.get(id);
  if (invoice?.test_clock === null) {
    yield* dueOfInvoice(state, invoice);
    // Only the time counts here: a change of the invoice's subscription may be due then.
    if (invoice.status === 'open') yield { at: invoice.created + INCOMPLETE_TIME, run: () => undefined };
  }
  const subscription = state.subscriptions.get(id);
  if (subscription?.test_clock === null && !hasEnded(subscription))
    yield* dueOfSubscription(state, subscription);
}

/**
 * Runs the due changes of the objects with one test clock; null for those without one.
 * @param until seconds since 1970
 */
export function runDueChanges(world: World, clock: string | null, until: number): void {
  const scope = withoutRequest(world);
  for (;;) {
    if (clock === null) scope.state.written.take();
    const next = earliest(agenda(scope.state, clock));
    if (clock === null) scope.state.nextDue = next?.at ?? Infinity;
    if (!next || next.at > until) return;
    next.run(at(scope, next.at));
  }
}

function earliest(agenda: Iterable<Due>): Due | undefined {
  let first: Due | undefined;
  for (const due of agenda) if (due.at < (first?.at ?? Infinity)) first = due;
  return first;
}

function* agenda(state: Store, clock: string | null): Iterable<Due> {
  for (const invoice of state.invoices) if (invoice.test_clock === clock) yield* dueOfInvoice(state, invoice);
  for (const subscription of state.subscriptions)
    if (subscription.test_clock === clock && !hasEnded(subscription))
      yield* dueOfSubscription(state, subscription);
  if (clock !== null) return;
  yield* dueOfOffers(state);
  for (const session of state.checkoutSessions) {
    if (session.status === 'open')
      yield {
        at: session.expires_at,
        run: (scope) => {
          expireSession(scope, session);
        },
      };
  }
}

function* dueOfOffers({ coupons, promotionCodes }: Store): Iterable<Due> {
  for (const coupon of coupons) {
    if (coupon.valid && coupon.redeem_by !== null)
      yield { at: coupon.redeem_by, run: ({ state }) => state.coupons.patch(coupon.id, { valid: false }) };
  }
  for (const code of promotionCodes) {
    if (code.active && code.expires_at !== null)
      yield {
        at: code.expires_at,
        run: ({ state }) => state.promotionCodes.patch(code.id, { active: false }),
      };
  }
}

function* dueOfInvoice(state: Store, invoice: Invoice): Iterable<Due> {
  const { attempted, status, automatically_finalizes_at: finalizes, next_payment_attempt: attempt } = invoice;
  if (status === 'draft' && finalizes !== null)
    yield { at: finalizes, run: (scope) => finalizeAndCollect(scope, invoice) };
  if (status === 'open' && attempt !== null) yield { at: attempt, run: (scope) => collect(scope, invoice) };
  const debit = attempted && attempt === null ? debitUnderWay({ state }, invoice) : undefined;
  if (debit)
    yield {
      at: debit.created + DEBIT_TIME,
      run: (scope) => {
        settleDebit(scope, invoice);
      },
    };
}

function* dueOfSubscription(state: Store, subscription: Subscription): Iterable<Due> {
  const { status, cancel_at: cancelAt, pending_update: pending, pause_collection: paused } = subscription;
  if (pending !== null)
    yield {
      at: pending.expires_at,
      run: (scope) => {
        expirePendingUpdate(scope, subscription);
      },
    };
  const schedule = scheduleOf({ state }, subscription);
  if (schedule?.current_phase)
    yield {
      at: schedule.current_phase.end_date,
      run: (scope) => {
        advanceSchedule(scope, schedule, subscription);
      },
    };
  if (cancelAt !== null)
    yield {
      at: cancelAt,
      run: (scope) => {
        endOnSchedule(scope, subscription);
      },
    };
  yield* dueOfDiscounts(state, subscription);
  yield* dueOfResumption(state, subscription);
  yield* dueOfSentInvoice(state, subscription);
  if (status === 'incomplete') {
    const expires = subscription.created + INCOMPLETE_TIME;
    yield {
      at: expires,
      run: (scope) => {
        expireIncomplete(scope, subscription);
      },
    };
  }
  yield* dueOfTrial(state, subscription);
  if (typeof paused?.resumes_at === 'number') {
    yield {
      at: paused.resumes_at,
      run: (scope) => {
        update(scope, 'customer.subscription.updated', subscription, { pause_collection: null });
      },
    };
  }
  if (status !== 'incomplete' && status !== 'paused')
    yield {
      at: periodEnd(subscription),
      run: (scope) => {
        renew(scope, subscription);
      },
    };
}

function* dueOfDiscounts(state: Store, subscription: Subscription): Iterable<Due> {
  for (const id of subscription.discounts) {
    const discount = state.discounts.get(id);
    if (typeof discount?.end === 'number')
      yield {
        at: discount.end,
        run: (scope) => {
          endDiscount(scope, subscription, discount);
        },
      };
  }
}

function* dueOfTrial(state: Store, subscription: Subscription): Iterable<Due> {
  const { status, trial_end: trialEnd } = subscription;
  if (status !== 'trialing' || trialEnd === null || wasNoticeSent(state, subscription)) return;
  const early = Math.max(subscription.created, trialEnd - TRIAL_NOTICE);
  yield {
    at: early,
    run: (scope) => {
      sendTrialNotice(scope, subscription, trialEnd);
    },
  };
}

/** If the invoice of a resumption stays unpaid for too long, it is voided and the subscription stays paused. */
function* dueOfResumption({ invoices }: Store, subscription: Subscription): Iterable<Due> {
  const invoice = invoices.get(subscription.latest_invoice ?? '');
  if (subscription.status !== 'paused' || invoice?.status !== 'open' || invoice.auto_advance) return;
  yield {
    at: invoice.created + INCOMPLETE_TIME,
    run: (scope) => {
      voidInvoice(scope, invoice);
    },
  };
}

/** If the latest invoice was sent and is not paid by its due date, the subscription is past due. */
function* dueOfSentInvoice({ invoices }: Store, subscription: Subscription): Iterable<Due> {
  const invoice = invoices.get(subscription.latest_invoice ?? '');
  if (subscription.status !== 'active' || invoice?.status !== 'open' || invoice.due_date === null) return;
  yield {
    at: invoice.due_date,
    run: (scope) => {
      update(scope, 'customer.subscription.updated', subscription, { status: 'past_due' });
    },
  };
}

function wasNoticeSent(state: Store, { id, trial_end: trialEnd }: Subscription): boolean {
  return state.trialNotices.get(id)?.trialEnd === trialEnd;
}

/** Emits `trial_will_end` for a trial that ends soon or just ended. */
export function sendTrialNotice(scope: Scope, subscription: Subscription, trialEnd: number): void {
  scope.state.trialNotices.put({ id: subscription.id, trialEnd });
  emit(scope, 'customer.subscription.trial_will_end', scope.state.subscriptions.latest(subscription));
}
