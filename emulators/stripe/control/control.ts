import { z } from 'zod';
import { elapse } from '../billing/elapse.ts';
import type { Clock } from '../clock.ts';
import type { Event } from '../events.ts';
import type { Dispute, Refund } from '../objects.ts';
import { openDispute } from '../payments/refunds-and-disputes/disputing.ts';
import { cancelRefund, failRefund } from '../payments/refunds-and-disputes/refunds.ts';
import type { Store } from '../store/store.ts';
import { DELIVERY_MODES } from '../webhooks.ts';
import type { DeliveryMode, Webhooks } from '../webhooks.ts';
import { inTimeOf, withoutRequest } from '../world.ts';
import type { World } from '../world.ts';
import { faultOrder } from './faults.ts';
import type { Faults } from './faults.ts';
import type { RequestLog } from './request-log.ts';

/** Everything that the control endpoints act on. */
export interface Controls {
  world: World;
  clock: Clock;
  faults: Faults;
  log: RequestLog;
  webhooks: Webhooks;
  reset: () => void;
}

interface ControlRoute {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  handle: (controls: Controls, request: Request, id: string) => unknown;
}

/** Endpoints for tests, outside of Stripe's API; the README lists them. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  { method: 'POST', path: '/_emulator/fail', handle: orderFault },
  {
    method: 'DELETE',
    path: '/_emulator/fail',
    handle: ({ faults }) => {
      faults.clear();
    },
  },
  {
    method: 'POST',
    path: '/_emulator/release',
    handle: ({ faults }) => {
      faults.release();
    },
  },
  { method: 'GET', path: '/_emulator/held', handle: awaitHeld },
  {
    method: 'POST',
    path: '/_emulator/reset',
    handle: ({ reset }) => {
      reset();
    },
  },
  { method: 'GET', path: '/_emulator/clock', handle: tellTime },
  { method: 'POST', path: '/_emulator/clock', handle: advanceClock },
  { method: 'POST', path: '/_emulator/disputes', handle: disputeCharge },
  { method: 'POST', path: '/_emulator/refunds/:id/cancel', handle: endingRefund(cancelRefund) },
  { method: 'POST', path: '/_emulator/refunds/:id/fail', handle: endingRefund(failRefund) },
  { method: 'GET', path: '/_emulator/requests', handle: ({ log }) => log.report() },
  {
    method: 'DELETE',
    path: '/_emulator/requests',
    handle: ({ log }) => {
      log.clear();
    },
  },
  {
    method: 'GET',
    path: '/_emulator/deliveries',
    handle: ({ webhooks }) => ({ deliveries: webhooks.deliveries }),
  },
  { method: 'GET', path: '/_emulator/webhooks', handle: tellMode },
  { method: 'POST', path: '/_emulator/webhooks', handle: setMode },
  { method: 'POST', path: '/_emulator/events/deliver', handle: deliverInOrder },
  { method: 'GET', path: '/_emulator/idle', handle: ({ webhooks }) => webhooks.idle() },
  { method: 'POST', path: '/_emulator/events/:id/deliver', handle: redeliver },
];

/** A control request that makes no sense; the message says why. */
class BadControl extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Answers a control request with JSON: what the handler returned, 204 without content, 400 `{ error }` for an invalid
 * request.
 */
export async function control(
  route: ControlRoute,
  controls: Controls,
  request: Request,
  id: string,
): Promise<Response> {
  try {
    const result = await route.handle(controls, request, id);
    return result === undefined ? new Response(null, { status: 204 }) : Response.json(result);
  } catch (error) {
    if (!(error instanceof BadControl)) throw error;
    return Response.json({ error: error.message }, { status: error.status });
  }
}

async function orderFault({ faults }: Controls, request: Request): Promise<void> {
  const order = faultOrder.safeParse(await request.json().catch(() => undefined));
  if (!order.success) throw new BadControl(400, z.prettifyError(order.error));
  faults.order(order.data);
}

const clockOrder = z.union([
  z.strictObject({ advance: z.int().nonnegative() }),
  z.strictObject({ to: z.union([z.int(), z.iso.datetime({ offset: true })]) }),
]);

function tellTime({ clock }: Controls): { now: number; iso: string } {
  const now = clock.now();
  return { now, iso: new Date(now * 1000).toISOString() };
}

/** Moves the time forward and runs everything that is due by then. */
async function advanceClock(controls: Controls, request: Request): Promise<{ now: number; iso: string }> {
  const order = clockOrder.safeParse(await request.json().catch(() => undefined));
  if (!order.success) throw new BadControl(400, 'Give { advance: seconds } or { to: seconds or ISO date }');
  const { clock, world } = controls;
  if (!clock.advanceTo(target(order.data, clock.now()))) {
    throw new BadControl(400, 'The clock only goes forward');
  }
  elapse(world);
  return tellTime(controls);
}

const disputeOrder = z.strictObject({
  charge: z.string(),
  reason: z.enum(['fraudulent', 'general', 'product_not_received']).default('fraudulent'),
});

/** Lets the cardholder dispute a charge that was paid with any card. */
async function disputeCharge({ world }: Controls, request: Request): Promise<Dispute> {
  const order = disputeOrder.safeParse(await request.json().catch(() => undefined));
  if (!order.success) throw new BadControl(400, 'Give { charge: id, reason?: word }');
  elapse(world);
  const charge = world.state.charges.get(order.data.charge);
  if (!charge?.paid || charge.disputed) throw new BadControl(404, 'There is no such undisputed charge');
  const customer = world.state.customers.get(charge.customer ?? '') ?? { test_clock: null };
  return openDispute(inTimeOf(withoutRequest(world), customer), charge, { reason: order.data.reason });
}

/** Lets a refund fail that was accepted before. */
function endingRefund(end: typeof failRefund) {
  return ({ world }: Controls, _request: Request, id: string): Refund => {
    elapse(world);
    const refund = world.state.refunds.get(id);
    if (refund?.status !== 'succeeded')
      throw new BadControl(404, 'There is no such refund that has succeeded');
    const charge = world.state.charges.get(refund.charge);
    const customer = world.state.customers.get(charge?.customer ?? '') ?? { test_clock: null };
    return end(inTimeOf(withoutRequest(world), customer), refund);
  };
}

function target(order: z.infer<typeof clockOrder>, now: number): number {
  if ('advance' in order) return now + order.advance;
  return typeof order.to === 'number' ? order.to : Math.floor(Date.parse(order.to) / 1000);
}

/** Waits for `?atLeast=` requests to be held, so that a test needs no sleep. */
async function awaitHeld({ faults }: Controls, request: Request): Promise<{ held: number }> {
  const atLeast = z.coerce
    .number()
    .int()
    .nonnegative()
    .safeParse(new URL(request.url).searchParams.get('atLeast') ?? 0);
  if (!atLeast.success) throw new BadControl(400, 'atLeast must be a whole number');
  await faults.untilHeld(atLeast.data, request.signal);
  return { held: faults.held };
}

function tellMode({ webhooks }: Controls): { mode: DeliveryMode; held: string[] } {
  return { mode: webhooks.mode, held: webhooks.held.map(({ id }) => id) };
}

async function setMode(controls: Controls, request: Request): Promise<ReturnType<typeof tellMode>> {
  const order = z
    .strictObject({ mode: z.enum(DELIVERY_MODES) })
    .safeParse(await request.json().catch(() => null));
  if (!order.success) throw new BadControl(400, z.prettifyError(order.error));
  controls.webhooks.mode = order.data.mode;
  return tellMode(controls);
}

/** Sends events one after the other, as often and in the order that the list says; answers when all are done. */
async function deliverInOrder({ world, webhooks }: Controls, request: Request): Promise<void> {
  const order = z
    .strictObject({ events: z.array(z.string()) })
    .safeParse(await request.json().catch(() => null));
  if (!order.success) throw new BadControl(400, z.prettifyError(order.error));
  const events = order.data.events.map((id) => knownEvent(world.state, id));
  for (const event of events) await webhooks.send(event);
}

function redeliver({ world: { state }, webhooks }: Controls, _request: Request, id: string): void {
  void webhooks.send(knownEvent(state, id));
}

function knownEvent({ events }: Store, id: string): Event {
  const event = events.get(id);
  if (!event) throw new BadControl(404, `No such event: ${id}`);
  return event;
}
