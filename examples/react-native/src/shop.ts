import { HearthError, type Plan } from '@hearth/client';
import { signInWithEmailAndPassword, signOut } from 'firebase/auth';
import type { Backend } from './backend.ts';

/**
 * The link of the app that the payment page leads back to. RETURN_URLS must list it, and `scheme` of app.json must
 * match.
 */
const RETURN_URL = 'myapp://paid';

export interface Offers {
  /** The slug of the user's plan. */
  current: string;
  /** Plans that a user can buy. */
  plans: Plan[];
}

/** Everything that the app does. It knows no screen. */
export class Shop {
  readonly auth: Backend['auth'];
  readonly #hearth: Backend['hearth'];
  readonly #openPage: (url: string) => Promise<unknown>;

  /** @param app.openPage opens a URL in the browser of the phone */
  constructor(app: Backend & { openPage: (url: string) => Promise<unknown> }) {
    this.auth = app.auth;
    this.#hearth = app.hearth;
    this.#openPage = app.openPage;
  }

  async signIn(email: string, password: string): Promise<void> {
    await signInWithEmailAndPassword(this.auth, email, password);
  }

  /** The app has no session at the backend, so it only forgets the user. */
  async signOut(): Promise<void> {
    await signOut(this.auth);
  }

  async offers(): Promise<Offers> {
    const [session, plans] = await Promise.all([
      this.#hearth.account.session(),
      this.#hearth.billing.plans(),
    ]);
    return {
      current: session?.plan ?? '',
      plans: plans.filter((plan) => plan.prices !== null && plan.for.includes('user')),
    };
  }

  /** Opens the payment page. It leads back to RETURN_URL, which opens the app. */
  async buy(plan: string): Promise<void> {
    await this.#openPage(await this.#hearth.billing.checkout(plan, { returnUrl: RETURN_URL }));
  }
}

/**
 * A sentence about the outcome of a checkout; undefined for an address that is about something else. Any app can open
 * the address, so the plan itself is read from the backend.
 */
export function outcomeOf(url: string | null): string | undefined {
  if (url?.startsWith(`${RETURN_URL}?`) !== true) return undefined;
  const outcome = valueIn(url.slice(RETURN_URL.length + 1), 'checkout');
  if (outcome === 'success') return 'Thank you';
  if (outcome === 'pending') return 'Your payment is being processed';
  return 'Nothing was charged';
}

/** A value of a query. `URLSearchParams` of React Native up to 0.79 cannot read one. */
function valueIn(query: string, name: string): string | undefined {
  const pair = query.split('&').find((text) => text.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** Messages of the backend are written for people. */
export function messageOf(error: unknown): string {
  return error instanceof HearthError ? error.message : 'Please check what you entered, and try again.';
}
