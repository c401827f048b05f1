import pMap from 'p-map';
import type { Backend } from '../backend.ts';
import { HOUR_MS } from '../common/durations.ts';
import { sweepEach } from '../common/sweep.ts';
import { readIntactOrLogged } from '../firestore/convert.ts';
import type { Db } from '../firestore/db.ts';
import { inChunks } from '../firestore/document-id.ts';
import { cleanUpAccount } from './delete.service.ts';

/** The most users that Firebase Auth looks up in one call. */
const LOOKUP_SIZE = 100;

/** Lookups that run at the same time. Firebase Auth allows 500 a second. */
const CONCURRENT_LOOKUPS = 10;

const PAGE_SIZE = LOOKUP_SIZE * CONCURRENT_LOOKUPS;

/**
 * Time after which no further page is started, so that the function ends before its timeout. The next run continues.
 */
const LAST_PAGE_AFTER_MS = 400_000;

/** Time between the starts of two rounds. Less than a day, so that a delayed run does not skip a day. */
const ROUND_MS = 23 * HOUR_MS;

const SWEEP = 'accounts';

/**
 * Continues the round under way. If there is none, begins a round if the last round began a day ago. A schedule calls
 * this every hour, because a round over millions of profiles takes hours.
 *
 * @returns the number of accounts that were cleaned up
 */
export async function sweepAccountsWhenDue(backend: Backend): Promise<number> {
  const { after, startedAt } = await readPosition(backend.db);
  const isDue = startedAt === undefined || backend.now().getTime() - startedAt.getTime() >= ROUND_MS;
  return after !== null || isDue ? sweepDeletedAccounts(backend) : 0;
}

/**
 * Cleans up after deleted users whose deletion sent no event, such as a deletion in bulk. Looks for profiles whose user
 * does not exist, page by page until the time is over. Reads one document for each profile.
 * https://firebase.google.com/docs/auth/admin/manage-users#delete_multiple_users
 *
 * @returns the number of accounts that were cleaned up
 */
export async function sweepDeletedAccounts(backend: Backend, pageSize = PAGE_SIZE): Promise<number> {
  const { db } = backend;
  const lastPageAt = backend.now().getTime() + LAST_PAGE_AFTER_MS;
  let { after, startedAt } = await readPosition(db);
  if (after === null || startedAt === undefined) startedAt = backend.now();
  let cleaned = 0;
  do {
    const uids = await profileIds(db, after, pageSize);
    const deleted = (await withoutUser(backend, uids)).map((uid) => ({ uid, path: `users/${uid}` }));
    cleaned += await sweepEach(deleted, ({ uid }) => cleanUpAccount(backend, { uid }));
    after = uids.length < pageSize ? null : (uids.at(-1) ?? null);
    await db.sweeps.set(SWEEP, { after, startedAt });
  } while (after !== null && backend.now().getTime() <= lastPageAt);
  return cleaned;
}

/** `after` is the uid of the last visited profile; null if the sweep begins at the first profile. */
async function readPosition(db: Db): Promise<{ after: string | null; startedAt: Date | undefined }> {
  const position = await readIntactOrLogged(db.sweeps.get(SWEEP));
  return { after: position?.after ?? null, startedAt: position?.startedAt };
}

/** The uids of the next profiles, damaged ones included. */
async function profileIds(db: Db, after: string | null, pageSize: number): Promise<string[]> {
  const profiles = db.users.orderBy('__name__').limit(pageSize);
  const places = await (after === null ? profiles : profiles.startAfter(after)).findPlaces();
  return places.map(({ id }) => id);
}

async function withoutUser({ auth }: Backend, uids: readonly string[]): Promise<string[]> {
  const lookUp = async (chunk: readonly string[]) => {
    const { notFound } = await auth.getUsers(chunk.map((uid) => ({ uid })));
    return notFound.flatMap((identifier) => ('uid' in identifier ? [identifier.uid] : []));
  };
  return (await pMap(inChunks(uids, LOOKUP_SIZE), lookUp, { concurrency: CONCURRENT_LOOKUPS })).flat();
}
