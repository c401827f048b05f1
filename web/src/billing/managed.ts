import type { Subscription as ManagedSubscription } from '@hearth/client';
import { useEffect, useRef } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { refresh, useRequest, valueOf } from '../backend/source.ts';
import type { Subscription } from './subscription.ts';

const keyOf = (team: string | undefined) => `subscription ${team ?? ''}`;

/**
 * The subscription as Stripe has it, read again when our copy changes. Undefined until it is read, or if it cannot be
 * read: then the page shows our copy.
 */
export function useManaged(
  team: string | undefined,
  { id, status, role, isEnding, end, schedule, latestInvoice }: Subscription,
): ManagedSubscription | undefined {
  const managed = useRequest(keyOf(team), (signal) =>
    hearth.subscription.get({ ...(team !== undefined && { team }), signal }),
  );
  const copy = [id, status, role, isEnding, end?.getTime(), schedule, latestInvoice].join(' ');
  const seen = useRef(copy);
  useEffect(() => {
    if (seen.current === copy) return;
    seen.current = copy;
    refreshManaged(team);
  }, [copy]);
  return valueOf(managed);
}

/**
 * Reads the subscription at Stripe again, after a change by this page. Our copy may stay the same: a planned change can
 * replace another one in the same schedule.
 */
export function refreshManaged(team: string | undefined): void {
  refresh(keyOf(team));
}
