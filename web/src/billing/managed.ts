import type { Subscription as ManagedSubscription } from '@hearth/client';
import { useEffect, useRef } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { refresh, useRequest, valueOf } from '../backend/source.ts';
import type { Subscription } from './subscription.ts';

const keyOf = (team: string | undefined) => `subscription ${team ?? ''}`;

/**
 * The subscription as Stripe has it, read again when our copy changes. Undefined until it is read, or if it cannot be
 * read: then the page shows our copy.
 *
 * @param copy undefined if there is no subscription to a plan; nothing is read then
 */
export function useManaged(
  team: string | undefined,
  copy: Subscription | undefined,
): ManagedSubscription | undefined {
  const key = copy && keyOf(team);
  const managed = useRequest(key, (signal) =>
    hearth.subscription.get({ ...(team !== undefined && { team }), signal }),
  );
  const state = copy && stateOf(copy);
  const seen = useRef(state);
  useEffect(() => {
    const before = seen.current;
    seen.current = state;
    if (before !== undefined && state !== undefined && before !== state) refreshManaged(team);
  }, [state]);
  const value = valueOf(managed);
  // Stripe may have a newer subscription, of which there is no copy yet.
  return value?.id === copy?.id ? value : undefined;
}

/** Another text for each state of our copy. */
function stateOf({
  id,
  status,
  role,
  isEnding,
  end,
  schedule,
  latestInvoice,
  priceId,
}: Subscription): string {
  return [id, status, role, isEnding, end?.getTime(), schedule, latestInvoice, priceId].join(' ');
}

/**
 * Reads the subscription at Stripe again, after a change by this page. Our copy may stay the same: a planned change can
 * replace another one in the same schedule.
 */
export function refreshManaged(team: string | undefined): void {
  refresh(keyOf(team));
}
