import { expect, test } from 'vitest';
import * as overlap from '../../functions/src/billing/subscriptions/overlap/overlap.ts';
import * as backend from '../../functions/src/billing/subscriptions/status.ts';
import { isEntitling, isReplaceable, isRunning } from '../../web/src/billing/subscription.ts';

/** The web app imports nothing of the functions, so it repeats these rules. */

const NOW = new Date('2030-01-15T00:00:00Z');
const STATUSES = [...backend.RUNNING, 'canceled', 'incomplete', 'incomplete_expired', backend.GRANTED];
const TIMES = [null, new Date(NOW.getTime() - 1), NOW, new Date(NOW.getTime() + 1)];
const PAUSES = ['void', 'keep_as_draft', 'mark_uncollectible'].flatMap((behavior) =>
  TIMES.map((time) => ({ behavior, resumes_at: time })),
);

test('the rules of the billing page about statuses, graces and pauses are those of the backend', () => {
  for (const status of STATUSES) {
    for (const graceUntil of TIMES) {
      for (const collectionPaused of [null, ...PAUSES]) {
        const pause = { status, grace_until: graceUntil, collection_paused: collectionPaused };
        const expected = backend.isEntitling(pause, NOW);
        const shown = { status, graceUntil, collectionPaused };
        expect(isEntitling(shown, NOW), JSON.stringify(pause)).toBe(expected);
      }
      for (const isEnding of [false, true]) {
        const fields = { status, grace_until: graceUntil, cancel_at: null, cancel_at_period_end: isEnding };
        const expected = overlap.isReplaceable(fields, NOW);
        expect(isReplaceable({ status, graceUntil, isEnding }, NOW), JSON.stringify(fields)).toBe(expected);
      }
    }
    expect(isRunning({ status }), status).toBe(backend.isRunning({ status }));
  }
});
