import type { AppUnderTest } from './app.ts';
import { settled } from './billing.ts';
import { call } from './requests.ts';

const DAY = 86_400;

/** Moves the clock of the Stripe of an app, and waits until all events and tasks of that time are processed. */
export async function passAtStripe(app: AppUnderTest, seconds: number): Promise<void> {
  await call('POST', `${app.stripe.url}/_emulator/clock`, { json: { advance: Math.round(seconds) } });
  await settled(app);
}

/** The clock of an app, which moves together with that of its Stripe. Give `now` to the backend of the app. */
export class AppClock {
  #aheadMs = 0;

  readonly now = (): Date => new Date(Date.now() + this.#aheadMs);

  reset(): void {
    this.#aheadMs = 0;
  }

  /** Lets time go by, for Stripe and for the app. */
  async passSeconds(app: AppUnderTest, seconds: number): Promise<void> {
    this.#aheadMs += seconds * 1_000;
    await passAtStripe(app, seconds);
  }

  async passDays(app: AppUnderTest, days: number): Promise<void> {
    await this.passSeconds(app, days * DAY);
  }
}
