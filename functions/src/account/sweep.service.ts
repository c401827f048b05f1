import pMap from 'p-map';
import type { Backend } from '../backend.ts';
import { HOUR_MS } from '../common/durations.ts';
import { logFault } from '../common/log.ts';
import { sweepEach } from '../common/sweep.ts';
import { timerOf } from '../common/timer.ts';
import { inChunks } from '../firestore/chunks.ts';
import { readIntactOrLogged } from '../firestore/damage.ts';
import type { Db } from '../firestore/db.ts';
import type { SweepPosition } from '../firestore/documents/sweep.ts';
import { membershipsOf } from '../teams/members/member.store.ts';
import { purgeDeletedAccount } from './delete.service.ts';

/** The most users that Firebase Auth looks up in one call. */
const LOOKUP_SIZE = 100;

/** Lookups that run at the same time. Firebase Auth allows 500 a second. */
const CONCURRENT_LOOKUPS = 10;

/** Users whose customer document and teams are read at the same time. */
const CONCURRENT_READS = 20;

const PAGE_SIZE = LOOKUP_SIZE * CONCURRENT_LOOKUPS;

/** After this time no further batch begins, so that the function ends before its timeout. The next run continues. */
const STOP_AFTER_MS = 400_000;

/**
 * The shortest time between the starts of two passes. A pass visits all profiles, in one or more runs. The time is
 * less than a day, so that a pass begins each day although a run may be late.
 */
const PASS_MS = 23 * HOUR_MS;

const SWEEP = 'accounts';

/**
 * Continues the pass under way. If no pass is under way, begins one when the last pass began at least `PASS_MS` ago. A
 * schedule calls this function every hour, because a pass over millions of profiles takes hours.
 *
 * @returns the number of accounts that were cleaned up
 */
export async function sweepAccountsWhenDue(backend: Backend): Promise<number> {
  const { after, startedAt } = await readPosition(backend.db);
  const isDue = startedAt === undefined || backend.now().getTime() - startedAt.getTime() >= PASS_MS;
  return after !== null || isDue ? sweepDeletedAccounts(backend) : 0;
}

/**
 * Cleans up after deleted users whose deletion sent no event, for example because they were deleted in bulk. Looks for
 * profiles without a user, page by page, until `STOP_AFTER_MS` is over. Reads one document for each profile.
 * https://firebase.google.com/docs/auth/admin/manage-users#delete_multiple_users
 *
 * If a pass finds more than `ACCOUNT_SWEEP_LIMIT` lost accounts, somebody may have deleted them by mistake. The rest of
 * the pass and the next one then only count, and each run logs a fault. When a pass has found fewer, for example
 * because the accounts were imported again, the next pass cleans up.
 *
 * @returns the number of accounts that were cleaned up
 */
export async function sweepDeletedAccounts(backend: Backend, pageSize = PAGE_SIZE): Promise<number> {
  const { db } = backend;
  const isTimeUp = timerOf(backend, STOP_AFTER_MS);
  const { after: start, startedAt, ...counts } = await readPosition(db);
  const isNewPass = start === null || startedAt === undefined;
  const pass = isNewPass
    ? { startedAt: backend.now(), lost: 0, lostBefore: counts.lost }
    : { startedAt, ...counts };
  let after = start;
  let cleaned = 0;
  do {
    const uids = await profileIds(db, after, pageSize);
    const page = await visitPage(backend, await uidsWithoutAccount(backend, uids), { pass, isTimeUp });
    cleaned += page.cleaned;
    pass.lost += page.lost;
    if (page.firstLeft !== undefined) after = uids[uids.indexOf(page.firstLeft) - 1] ?? after;
    else after = uids.length < pageSize ? null : (uids.at(-1) ?? null);
    await db.sweeps.set(SWEEP, positionAfter(backend, page, { ...pass, after }));
  } while (after !== null && !isTimeUp());
  if (isOverLimit(backend, pass)) {
    const { lost, lostBefore } = pass;
    const found = String(Math.max(lost, lostBefore));
    logFault('Many users have no account, so their data stays', { found }, MANY_LOST_ADVICE);
  }
  return cleaned;
}

const MANY_LOST_ADVICE =
  'After a restored backup, or if the deletion was meant, raise ACCOUNT_SWEEP_LIMIT. Otherwise import the accounts again: see "Accounts" in docs/operations.md.';

/** How many lost accounts the pass under way has found, and the pass before it. */
type LostCounts = Required<Pick<SweepPosition, 'lost' | 'lostBefore'>>;

/** The position to store after a visit of a page. */
function positionAfter(
  backend: Backend,
  { firstLeft }: PageVisit,
  { after, startedAt, ...counts }: LostCounts & { after: string | null; startedAt: Date },
): SweepPosition {
  const isFirstLeft = firstLeft !== undefined && after === null;
  // Without `startedAt` the next run begins a pass, so that it visits the first profile again.
  if (isFirstLeft) return { after, ...counts };
  // A pass within the limit has cleaned up, so its count does not hinder the next pass.
  const isCleanedUp = after === null && !isOverLimit(backend, counts);
  return { after, startedAt, ...counts, ...(isCleanedUp && { lost: 0 }) };
}

function isOverLimit({ config }: Backend, { lost, lostBefore }: LostCounts): boolean {
  return Math.max(lost, lostBefore) > config.accountSweepLimit;
}

interface PageVisit {
  cleaned: number;
  /** The lost accounts among those that were visited. */
  lost: number;
  firstLeft: string | undefined;
}

/** Cleans up the deleted users of a page, unless there are too many lost accounts: then it only counts them. */
async function visitPage(
  backend: Backend,
  deleted: readonly string[],
  { pass, isTimeUp }: { pass: LostCounts; isTimeUp: () => boolean },
): Promise<PageVisit> {
  const lost = await lostAccounts(backend, deleted);
  if (isOverLimit(backend, { ...pass, lost: pass.lost + lost.length })) {
    return { cleaned: 0, lost: lost.length, firstLeft: undefined };
  }
  const { cleaned, firstLeft } = await cleanUpDeleted(backend, deleted, isTimeUp);
  const visited = firstLeft === undefined ? deleted : deleted.slice(0, deleted.indexOf(firstLeft));
  return { cleaned, lost: lost.filter((uid) => visited.includes(uid)).length, firstLeft };
}

/**
 * The deleted users who had an address, a customer document or a team. Others were anonymous: Firebase Auth can delete
 * old ones by itself. The profile of an upgraded user can lack the address: it follows when they sign in for a session,
 * or by `GET /api/auth/session` if they are in a team. If anonymous users may found teams (`ANONYMOUS_TEAMS`), a team
 * does not count.
 *
 * A user with a damaged profile counts. Reads one document for each user, and up to two for a user without an address.
 */
async function lostAccounts({ config, db }: Backend, uids: readonly string[]): Promise<string[]> {
  const profiles = await db.users.getAllIntact(uids);
  const withoutAddress = uids.filter((uid) => profiles.get(uid)?.email === null);
  const isAnonymous = async (uid: string) => {
    if (await db.customers.exists(uid)) return false;
    return config.anonymousTeams || (await membershipsOf(db, uid).isEmpty());
  };
  const found = await pMap(withoutAddress, isAnonymous, { concurrency: CONCURRENT_READS });
  const anonymous = new Set(withoutAddress.filter((_, index) => found[index]));
  return uids.filter((uid) => !anonymous.has(uid));
}

/**
 * Begins at least one account, so that each run makes progress.
 *
 * @param uids deleted users, in the order of the profiles
 * @returns `firstLeft` the first user whose clean-up did not begin or not end, because the time was up
 */
async function cleanUpDeleted(
  backend: Backend,
  uids: readonly string[],
  isTimeUp: () => boolean,
): Promise<{ cleaned: number; firstLeft: string | undefined }> {
  let begun = 0;
  let left = uids.length;
  const cleanUp = async ({ uid, index }: { uid: string; index: number }) => {
    begun += 1;
    if (await purgeDeletedAccount(backend, { uid }, isTimeUp)) return;
    left = Math.min(left, index);
    throw new Error('The time is up. The next run continues with this user.');
  };
  const deleted = uids.map((uid, index) => ({ uid, index, path: `users/${uid}` }));
  const cleaned = await sweepEach(deleted, cleanUp, () => begun > 0 && isTimeUp());
  return { cleaned, firstLeft: uids[Math.min(left, begun)] };
}

/** `after` is the uid of the last visited profile; null if the sweep begins at the first profile. */
async function readPosition(
  db: Db,
): Promise<LostCounts & { after: string | null; startedAt: Date | undefined }> {
  const position = await readIntactOrLogged(db.sweeps.get(SWEEP));
  const { after = null, startedAt, lost = 0, lostBefore = 0 } = position ?? {};
  return { after, startedAt, lost, lostBefore };
}

/** The uids of the next profiles, damaged ones included. */
async function profileIds(db: Db, after: string | null, pageSize: number): Promise<string[]> {
  const profiles = db.users.orderBy('__name__').limit(pageSize);
  const paths = await (after === null ? profiles : profiles.startAfter(after)).findPaths();
  return paths.map(({ id }) => id);
}

/** In the order of `uids`. */
async function uidsWithoutAccount({ auth }: Backend, uids: readonly string[]): Promise<string[]> {
  const lookUp = async (chunk: readonly string[]) => {
    const { notFound } = await auth.getUsers(chunk.map((uid) => ({ uid })));
    return notFound.flatMap((identifier) => ('uid' in identifier ? [identifier.uid] : []));
  };
  const chunks = inChunks(uids, LOOKUP_SIZE);
  const missing = new Set((await pMap(chunks, lookUp, { concurrency: CONCURRENT_LOOKUPS })).flat());
  return uids.filter((uid) => missing.has(uid));
}
