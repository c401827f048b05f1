import type { Backend } from '../backend.ts';
import { sweepEach } from '../common/sweep.ts';
import { unlessDamaged } from '../firestore/convert.ts';
import type { Db } from '../firestore/db.ts';
import { cleanUpAccount } from './delete.service.ts';

/** The most users that Firebase Auth looks up in one call. */
const PAGE_SIZE = 100;

/** Limits one run to 5,000 profiles. The next run continues after them. */
const MAX_PAGES = 50;

/** Id of the document with the position of this sweep. */
const SWEEP = 'accounts';

/**
 * Cleans up after deleted users whose deletion sent no event, such as a deletion of many users at once. Looks for profiles
 * whose user does not exist. A failure does not stop the others; a later run tries again.
 * https://firebase.google.com/docs/auth/admin/manage-users#delete_multiple_users
 *
 * @returns the number of accounts that were cleaned up
 */
export async function sweepDeletedAccounts(backend: Backend): Promise<number> {
  const { db } = backend;
  let after = await readPosition(db);
  let cleaned = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const uids = await profileIds(db, after);
    const deleted = (await withoutUser(backend, uids)).map((uid) => ({ uid, path: `users/${uid}` }));
    cleaned += await sweepEach(deleted, ({ uid }) => cleanUpAccount(backend, { uid }));
    after = uids.length < PAGE_SIZE ? null : (uids.at(-1) ?? null);
    await db.sweeps.set(SWEEP, { after });
    if (after === null) break;
  }
  return cleaned;
}

/** The uid of the last visited profile; null if the sweep begins at the first one. */
async function readPosition(db: Db): Promise<string | null> {
  const position = await unlessDamaged(() => db.sweeps.get(SWEEP));
  return position?.after ?? null;
}

/** The uids of the next profiles, damaged ones included. */
async function profileIds(db: Db, after: string | null): Promise<string[]> {
  const profiles = db.users.orderBy('__name__').limit(PAGE_SIZE);
  const places = await (after === null ? profiles : profiles.startAfter(after)).places();
  return places.map(({ id }) => id);
}

async function withoutUser({ auth }: Backend, uids: readonly string[]): Promise<string[]> {
  if (uids.length === 0) return [];
  const { notFound } = await auth.getUsers(uids.map((uid) => ({ uid })));
  return notFound.flatMap((identifier) => ('uid' in identifier ? [identifier.uid] : []));
}
