import type { UserRecord } from 'firebase-admin/auth';
import { findActiveUser } from '../../auth/users/find-active-user.ts';
import type { Backend } from '../../backend.ts';
import { DAY_MS } from '../../common/durations.ts';
import { logFault } from '../../common/log.ts';
import { nameAndPictureOf } from '../../common/user-profile.ts';
import type { CheckoutSessionDocument } from '../../firestore/documents/stripe-extension.ts';
import { isNotStorable } from '../../firestore/failures.ts';
import { counterAcrossInstances } from '../../rate-limits/limiters.ts';
import { Refusal, refusal } from '../../refusals/refusals.ts';
import { RATE_LIMITS } from '../../settings/rate-limits.ts';
import { beginCheckout } from '../checkout/checkout.service.ts';
import { beginPurchase } from '../checkout/purchases/purchase.service.ts';
import type { StripePage } from '../stripe/stripe-page.ts';
import { userSubject, type Subject } from '../subject.ts';
import { readCheckoutRequest, type CheckoutRequest } from './checkout-request.ts';
import { requireItemOfPrice, requirePlanOnSale } from './price-on-sale.store.ts';

/** How long an answered document is kept. A checkout session of Stripe is open for a day. */
const KEPT_MS = 7 * DAY_MS;

/** A new document in `customers/{uid}/checkout_sessions`. By the security rules only the user can create it. */
interface Location {
  uid: string;
  id: string;
}

type Answer = Pick<CheckoutSessionDocument, 'sessionId' | 'url' | 'created' | 'error' | 'deleteAt'>;

interface Context {
  backend: Backend;
  /**
   * Counts a checkout for the rate limit of a user.
   *
   * @throws Refusal `rate_limit_reached`
   */
  countCheckout: (uid: string) => Promise<void>;
}

/** Makes the handler of new documents in `checkout_sessions`. One rate limiter serves all events of an instance. */
export function createCheckoutHandler(backend: Backend): (uid: string, id: string) => Promise<void> {
  const countCheckout = counterAcrossInstances(backend, RATE_LIMITS.checkouts(backend.config));
  return (uid, id) => answerCheckoutSession({ backend, countCheckout }, { uid, id });
}

/**
 * Answers a checkout session that a client of the Stripe extension has created: adds the page where the user pays, or
 * the reason why there is none. If the account was deleted or disabled, deletes the document.
 *
 * Idempotent: an answered document does not change, and concurrent calls open the same page.
 */
async function answerCheckoutSession(context: Context, { uid, id }: Location): Promise<void> {
  const { backend } = context;
  const sessions = backend.db.checkoutSessions(uid);
  const request = await sessions.get(id);
  if (request === undefined || isAnswered(request)) return;
  const user = await findActiveUser(backend, uid);
  if (user === undefined) {
    await sessions.delete(id);
    return;
  }
  const answer = await answerTo(context, user, request);
  const deleteAt = new Date(backend.now().getTime() + KEPT_MS);
  await writeAnswer(backend, { uid, id }, { ...answer, deleteAt });
}

/**
 * Adds the answer to the document. If the document has no room for the answer, the answer replaces all other fields.
 * Otherwise the event would be repeated for a day, and the document would never be deleted.
 */
async function writeAnswer({ db }: Backend, { uid, id }: Location, answer: Answer): Promise<void> {
  const write = (change: 'update' | 'set') =>
    db.run(async (tx) => {
      const sessions = tx.checkoutSessions(uid);
      const current = await sessions.get(id);
      if (current !== undefined && !isAnswered(current)) sessions[change](id, answer);
    });
  try {
    await write('update');
  } catch (error) {
    if (!isNotStorable(error)) throw error;
    await write('set');
  }
}

function isAnswered({ sessionId, error }: CheckoutSessionDocument): boolean {
  return sessionId !== undefined || error !== undefined;
}

/** The fields of an answer. If a fault or an outage happens, it is logged, and the client gets no details. */
async function answerTo(context: Context, user: UserRecord, request: CheckoutSessionDocument) {
  try {
    return await openPage(context, user, request);
  } catch (error) {
    const reason = error instanceof Refusal ? error : refusal('internal', {}, { cause: error });
    if (reason.kind !== 'caller')
      logFault('A checkout session was not answered', { uid: user.uid }, reason.cause ?? reason);
    return { error: { message: reason.message } };
  }
}

async function openPage(
  { backend, countCheckout }: Context,
  user: UserRecord,
  request: CheckoutSessionDocument,
) {
  const { uid, email, emailVerified } = user;
  await countCheckout(uid);
  const wanted = readCheckoutRequest(backend.config, request);
  const { displayName } = nameAndPictureOf(user);
  const subject = userSubject({ uid, email: email?.toLowerCase(), emailVerified, displayName });
  const page = await beginIn[wanted.mode](backend, subject, wanted);
  return { client: 'web', mode: wanted.mode, sessionId: page.id, url: page.url, created: backend.now() };
}

type Begin = (backend: Backend, subject: Subject, wanted: CheckoutRequest) => Promise<StripePage>;

const beginIn: Record<CheckoutRequest['mode'], Begin> = {
  subscription: async (backend, subject, { priceId, promotionCodeId, stripeReturnUrls }) => {
    const offer = await requirePlanOnSale(backend.db, backend.config, priceId);
    const choice = {
      ...offer,
      promotionCodeId,
      stripeReturnUrls,
      appPageAfterPortal: stripeReturnUrls.cancel,
    };
    return beginCheckout(backend, subject, choice);
  },
  payment: async (backend, subject, { priceId, quantity, promotionCodeId, stripeReturnUrls }) => {
    const item = await requireItemOfPrice(backend.db, backend.config, priceId);
    return beginPurchase(backend, subject, { item, quantity, stripeReturnUrls, promotionCodeId });
  },
};
