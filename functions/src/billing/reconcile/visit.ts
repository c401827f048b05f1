import { logWarning } from '../../common/log.ts';
import { isRefusal } from '../../refusals.ts';
import { guardStripe, isMissing } from '../stripe/stripe-errors.ts';

/** The lists in the order in which a run visits them. `mirrored…` are lists of our copies. The names are stored. */
export const LISTS = [
  'products',
  'mirrored',
  'prices',
  'mirroredPrices',
  'subscriptions',
  'entitlements',
] as const;

type List = (typeof LISTS)[number];

/** Where a run continues: the list, and the id of the last item that was visited. Empty at the start. */
export interface Position {
  list?: string;
  after?: string;
}

/** Where a run ends, so that its position is stored before the function is stopped. */
export interface RunLimits {
  /** Calls to Stripe. */
  maxCalls: number;
  isTimeUp: () => boolean;
}

/** One run of the reconciliation: its position, and the calls to Stripe that it may still make. */
export class Run {
  position: Position;
  #callsLeft: number;
  readonly #isTimeUp: () => boolean;

  constructor(position: Position, { maxCalls, isTimeUp }: RunLimits) {
    this.position = position;
    this.#callsLeft = maxCalls;
    this.#isTimeUp = isTimeUp;
  }

  /** Takes one call. False if none is left, or if the time of the run is up. */
  spendCall(): boolean {
    if (this.#callsLeft === 0 || this.#isTimeUp()) return false;
    this.#callsLeft -= 1;
    return true;
  }
}

export interface Page<Item> {
  data: Item[];
  has_more: boolean;
}

/** A list to compare with its copy. */
interface Visit<Item> {
  /** Reads a page; undefined for the first one. */
  readPage: (after: string | undefined) => Promise<Page<Item>>;
  /** Finds the items whose copy differs, with the work that repairs it. */
  findDrift: (items: Item[]) => Promise<ReadonlyMap<Item, Repair>>;
}

type Repair = () => Promise<unknown>;

/** Repairs all items in the same way. */
export function repairEach<Item>(
  items: readonly Item[],
  repair: (item: Item) => Promise<unknown>,
): Map<Item, Repair> {
  return new Map(items.map((item) => [item, () => repair(item)]));
}

/** Visits a list from the position of the run, until its end or the last call. Does nothing if the run is at another list. */
export async function visitList<Item extends { id: string }>(
  run: Run,
  list: List,
  visit: Visit<Item>,
): Promise<void> {
  if ((run.position.list ?? list) !== list) return;
  run.position.list = list;
  while (run.spendCall()) {
    const page = await readPageAt(run.position, visit);
    const repairs = await visit.findDrift(page.data);
    for (const item of page.data) {
      const repair = repairs.get(item);
      if (repair && !run.spendCall()) return;
      run.position.after = item.id;
      if (repair) await attempt(item.id, repair);
    }
    if (!page.has_more) {
      run.position = {};
      return;
    }
  }
}

/** Does work that may fail without stopping the run. */
export async function attempt(id: string, work: Repair): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isRefusal(error, 'billing_unavailable')) throw error;
    logWarning(`${id} could not be synced`, error);
  }
}

/** Restarts from the first page if the saved cursor no longer exists. */
async function readPageAt<Item>({ after }: Position, { readPage }: Visit<Item>): Promise<Page<Item>> {
  return guardStripe(async () => {
    try {
      return await readPage(after);
    } catch (error) {
      if (after === undefined || !isMissing(error)) throw error;
      return readPage(undefined);
    }
  });
}
