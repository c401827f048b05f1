import pMap from 'p-map';
import type Stripe from 'stripe';
import { logWarning } from '../../common/log.ts';
import { hasRefusalCode } from '../../refusals/refusals.ts';
import { withStripeRefusals, isMissing } from '../stripe/stripe-errors.ts';

/** The lists in the order of a run. `copied…` are lists of our copies. Stored positions contain these names. */
export const LISTS = ['products', 'copiedProducts', 'prices', 'copiedPrices', 'subscriptions'] as const;

/**
 * These lists have positions of their own, because each of them can stay long: many lost events, or many paused
 * subscriptions, must not delay the visits of the other lists.
 */
export type SeparateList = 'copiedSubscriptions' | 'events' | 'entitlements';

export type List = (typeof LISTS)[number] | SeparateList;

export const PAGE_SIZE = 100;

const CONCURRENT_REPAIRS = 10;

/** A run ends after this number of repairs that Stripe did not answer. A few broken objects must not end the run. */
const MAX_OUTAGES = 5;

/** Where a run continues. Empty at the start. */
export interface Position {
  list?: string;
  /** Id of the last item that was visited. */
  after?: string;
}

/** These limits end a run before the function is stopped, so that the position of the run is stored. */
export interface RunLimits {
  /** Calls to Stripe. */
  maxCalls: number;
  isTimeUp: () => boolean;
}

/** The limits of a part of a run. By default the part has the time of the run. */
type PartLimits = Pick<RunLimits, 'maxCalls'> & Partial<RunLimits>;

/** The position of a run, and the calls to Stripe that are left. */
export class Run {
  position: Position;
  #callsLeft: number;
  #outages: unknown[] = [];
  readonly #isTimeUp: () => boolean;

  constructor(position: Position, { maxCalls, isTimeUp }: RunLimits) {
    this.position = position;
    this.#callsLeft = maxCalls;
    this.#isTimeUp = isTimeUp;
  }

  /** True if `list` is the next list to visit. */
  isAt(list: List): boolean {
    return (this.position.list ?? list) === list;
  }

  /** Reserves calls to Stripe. False if too few are left, the time is up, or Stripe is down. */
  spendCalls(count = 1): boolean {
    if (this.#callsLeft < count || this.#isTimeUp() || this.#outages.length >= MAX_OUTAGES) return false;
    this.#callsLeft -= count;
    return true;
  }

  /** A part of this run, with a position of its own. The part gets at most `maxCalls` of the calls that are left. */
  splitOff({ maxCalls, isTimeUp = () => false }: PartLimits): Run {
    const calls = Math.min(maxCalls, this.#callsLeft);
    this.#callsLeft -= calls;
    return new Run({}, { maxCalls: calls, isTimeUp: () => isTimeUp() || this.#isTimeUp() });
  }

  /** Takes back the calls that a part has left. */
  takeBack(part: Run): void {
    this.#callsLeft += part.#callsLeft;
    part.#callsLeft = 0;
  }

  /** Counts a repair that Stripe did not answer. */
  addOutage(error: unknown): void {
    this.#outages.push(error);
  }

  /** @throws the first outage, if Stripe is down */
  throwIfDown(): void {
    if (this.#outages.length >= MAX_OUTAGES) throw this.#outages[0];
  }
}

export interface StripeListPage<Item> {
  data: Item[];
  has_more: boolean;
}

export function pageAfter(after: string | undefined): Stripe.PaginationParams {
  return { limit: PAGE_SIZE, ...(after !== undefined && { starting_after: after }) };
}

export interface Visit<Item> {
  /** Reads the page after an item; the first page if `after` is undefined. */
  readPage: (after: string | undefined) => Promise<StripeListPage<Item>>;
  /** Finds the items that need a repair, and their repairs. */
  findRepairs: (items: Item[]) => Promise<ReadonlyMap<Item, Repair>>;
}

export interface Repair {
  work: () => Promise<unknown>;
  /** Calls to Stripe that the work usually makes. */
  calls: number;
}

/** The same repair for each item, with one call to Stripe. */
export function sameRepairFor<Item>(
  items: readonly Item[],
  repair: (item: Item) => Promise<unknown>,
): Map<Item, Repair> {
  return new Map(items.map((item) => [item, { work: () => repair(item), calls: 1 }]));
}

/**
 * Visits a list from the position of the run, until the list ends or no call is left. Does nothing if the run is at
 * another list. At the end of the list the position becomes empty.
 */
export async function visitList<Item extends { id: string }>(
  run: Run,
  list: List,
  visit: Visit<Item>,
): Promise<void> {
  if (!run.isAt(list)) return;
  run.position.list = list;
  while (run.spendCalls()) {
    const page = await readPageAt(run.position, visit);
    const repairs = await visit.findRepairs(page.data);
    const repair = ({ id, work }: Repair & { id: string }) => repairOne(run, id, work);
    await pMap(beginRepairs(run, page.data, repairs), repair, { concurrency: CONCURRENT_REPAIRS });
    run.throwIfDown();
    const last = page.data.at(-1);
    const hasVisitedPage = last === undefined || run.position.after === last.id;
    if (!hasVisitedPage) return;
    if (!page.has_more) {
      run.position = {};
      return;
    }
  }
}

/**
 * Repairs items, some at the same time, until the run ends. A failure is logged, and hinders no other item.
 *
 * @throws the first outage, if Stripe is down
 */
export async function repairEach<Item>(
  run: Run,
  items: AsyncIterable<Item>,
  repairOf: (item: Item) => Repair & { id: string },
): Promise<void> {
  const repair = ({ id, work }: Repair & { id: string }) => repairOne(run, id, work);
  await pMap(takeAffordable(run, items, repairOf), repair, { concurrency: CONCURRENT_REPAIRS });
  run.throwIfDown();
}

async function* takeAffordable<Item>(
  run: Run,
  items: AsyncIterable<Item>,
  repairOf: (item: Item) => Repair & { id: string },
): AsyncGenerator<Repair & { id: string }> {
  for await (const item of items) {
    const repair = repairOf(item);
    if (!run.spendCalls(repair.calls)) return;
    yield repair;
  }
}

/** Yields the repairs of a page until the run ends. The position moves to an item when its repair begins. */
function* beginRepairs<Item extends { id: string }>(
  run: Run,
  items: readonly Item[],
  repairs: ReadonlyMap<Item, Repair>,
): Generator<Repair & { id: string }> {
  for (const item of items) {
    const repair = repairs.get(item);
    if (repair && !run.spendCalls(repair.calls)) return;
    run.position.after = item.id;
    if (repair) yield { id: item.id, ...repair };
  }
}

async function repairOne(run: Run, id: string, work: Repair['work']): Promise<void> {
  try {
    await logUnlessOutage(id, work);
  } catch (error) {
    logWarning(`${id} could not be synced`, error);
    run.addOutage(error);
  }
}

/**
 * @throws an error of the work with the code `billing_unavailable`
 */
export async function logUnlessOutage(id: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (hasRefusalCode(error, 'billing_unavailable')) throw error;
    logWarning(`${id} could not be synced`, error);
  }
}

/** If the item of the position no longer exists, reads the first page. */
async function readPageAt<Item>(
  { after }: Position,
  { readPage }: Visit<Item>,
): Promise<StripeListPage<Item>> {
  return withStripeRefusals(async () => {
    try {
      return await readPage(after);
    } catch (error) {
      if (after === undefined || !isMissing(error)) throw error;
      return readPage(undefined);
    }
  });
}
