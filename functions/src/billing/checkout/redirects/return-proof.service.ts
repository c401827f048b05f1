import type { Backend } from '../../../backend.ts';
import { DAY_MS } from '../../../common/durations.ts';
import { areEqualTexts } from '../../../common/equal-texts.ts';
import { loadHashFunction } from '../../../personal-data/keyed-hash.ts';
import type { SubjectKey } from '../../subject.ts';
import { stripeReturnUrlsForApiClient, type ReturnProof, type StripeReturnUrls } from './return-url.ts';

/** For a return that needs no sign-in. */
export interface ReturnContext {
  backend: Backend;
  /** Counts a return from Stripe for the rate limit of the customer, because each return asks Stripe. */
  countReturn: (customerId: string) => Promise<void>;
}

/**
 * Proves that we made a return URL, so that a signed-out browser may sync the customer. The proof is a keyed hash of
 * the customer and the day. It is valid on this day and on the next one (UTC), and so for at least a day. A checkout
 * session is open for a day. Reads one document.
 */
export async function makeReturnProof(backend: Backend, customerId: string): Promise<ReturnProof> {
  const proofOf = await loadProofs(backend, customerId);
  return { customer: customerId, proof: proofOf(today(backend)) };
}

/** The URLs of `stripeReturnUrlsForApiClient`, with a proof. Reads one document. */
export async function makeStripeReturnUrls(
  backend: Backend,
  subject: SubjectKey,
  appPageUrl: string | undefined,
): Promise<StripeReturnUrls> {
  const returnProof = await makeReturnProof(backend, subject.customerId);
  return stripeReturnUrlsForApiClient(backend.config, subject, { returnProof, appPageUrl });
}

/** Reads one document. */
export async function isReturnProofValid(
  backend: Backend,
  { customer, proof }: ReturnProof,
): Promise<boolean> {
  const proofOf = await loadProofs(backend, customer);
  const day = today(backend);
  return [day, day - 1].some((each) => areEqualTexts(proof, proofOf(each)));
}

async function loadProofs({ db, now }: Backend, customerId: string): Promise<(day: number) => string> {
  const hash = await loadHashFunction(db, now());
  return (day) => hash('return', `${day}:${customerId}`);
}

/** Days since 1970. */
function today({ now }: Pick<Backend, 'now'>): number {
  return Math.floor(now().getTime() / DAY_MS);
}
