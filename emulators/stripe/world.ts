import { randomInt } from 'node:crypto';
import type Stripe from 'stripe';
import type { Dunning } from './billing/dunning.ts';
import { byId, emptyState } from './state.ts';
import type { Event, EventType, RequestOrigin, State } from './state.ts';

/** The one version that is served; the compiler refuses it when the SDK moves on. */
export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive';

/** What every operation works on. */
export interface World {
  readonly state: State;
  /** Origin of the hosted pages, without a slash at the end. */
  readonly origin: string;
  /** The current time in seconds since 1970. */
  now: () => number;
  /** What is done about renewals that are not paid; tests set it. */
  readonly dunning: Dunning;
  /** Whether Stripe's limits for each customer and subscription hold; see billing/limits.ts. */
  readonly limits: boolean;
  /** Hands an event to the webhook endpoints; does not wait. */
  deliver: (event: Event) => void;
  /** Does what follows from an event within Stripe, such as other entitlements after another subscription. */
  readonly follow: (scope: Scope, event: Event) => void;
  /** How many endpoints get each event. */
  readonly endpoints: number;
}

/** A world, and the request that changes it. */
export interface Scope extends World {
  readonly request: RequestOrigin;
}

/** The scope of changes that no API request made: hosted pages and the passing of time. */
export function unattended(world: World): Scope {
  return { ...world, request: { id: null, idempotency_key: null } };
}

/** The same scope at another time: what is due late happens at the time when it was due. */
export function at<S extends World>(scope: S, seconds: number): S {
  return { ...scope, now: () => seconds };
}

/** The scope in the time of a customer or what is theirs: that of their test clock, if they have one. */
export function inTimeOf<S extends World>(scope: S, { test_clock: id }: { test_clock: string | null }): S {
  const clock = id === null ? undefined : byId(scope.state.testClocks, id);
  return clock ? at(scope, clock.frozen_time) : scope;
}

/** Does something to a copy, and tells what it came to: nothing has happened. */
export function imagine<T>(scope: Scope, work: (copy: Scope) => T): T {
  return work({ ...scope, state: copyOf(scope.state), deliver: () => undefined });
}

/**
 * Does something wholly or, when it throws, not at all: it works on a copy, and nobody is told before it is done.
 * @returns what `work` returned; the state's objects are other ones afterwards
 */
export function tentatively<T>(scope: Scope, work: (trial: Scope) => T): T {
  const { copy, commit } = rehearse(scope);
  const result = work(copy);
  commit();
  return result;
}

/** A copy to work on. `commit` makes its state the state and delivers its events; without it, nothing has happened. */
export function rehearse(scope: Scope): { copy: Scope; commit: () => void } {
  const events: Event[] = [];
  const state = copyOf(scope.state);
  return {
    copy: { ...scope, state, deliver: (event) => events.push(event) },
    commit: () => {
      Object.assign(scope.state, state);
      for (const event of events) scope.deliver(event);
    },
  };
}

/** What only grows is not copied in depth: there may be thousands of events. */
function copyOf(state: State): State {
  const { events, answers, ...rest } = state;
  return { ...structuredClone(rest), events: [...events], answers: [...answers] };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An unguessable id such as `cus_N2xYb…`: 24 characters of 62, so 142 bits. */
export function newId(prefix: string, length = 24): string {
  return `${prefix}_${Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')}`;
}

/** Records what happened to an object, and sends it to the webhook endpoints. */
export function emit(
  scope: Scope,
  type: EventType,
  object: object,
  previous?: Record<string, unknown>,
): void {
  const event: Event = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: scope.now(),
    data: {
      object: structuredClone(object),
      ...(previous && { previous_attributes: structuredClone(previous) }),
    },
    livemode: false,
    pending_webhooks: scope.endpoints,
    request: scope.request,
    type,
  };
  scope.state.events.push(event);
  scope.deliver(event);
  scope.follow(scope, event);
}

/** Changes an object in place and tells about it; a patch that changes nothing makes no event. */
export function update<T extends object>(scope: Scope, type: EventType, object: T, patch: Partial<T>): void {
  const before: Partial<T> = structuredClone(object);
  const changed = (Object.keys(patch) as (keyof T & string)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(patch[key]),
  );
  if (changed.length === 0) return;
  Object.assign(object, patch);
  emit(scope, type, object, Object.fromEntries(changed.map((key) => [key, before[key] ?? null])));
}

/** Forgets everything and starts again from a seed, in place: the state object is emulate's. */
export function restart(state: State, seed: State): void {
  Object.assign(state, emptyState(), structuredClone(seed));
}
