import type { Backend } from '../backend.ts';
import { sweepEach } from '../common/sweep.ts';
import { cleanUpAccount } from './delete.service.ts';
import { readProfileIds, readSweepPosition, saveSweepPosition } from './profile.store.ts';

/** As many as Firebase Auth looks up in one call. */
const PAGE_SIZE = 100;

/** Bounds one run: 5,000 profiles. The next goes on where this one ended. */
const MAX_PAGES = 50;

/**
 * Cleans up after users who are gone without an event that reached us: deleting many at once in Firebase Auth tells
 * nobody. Looks for profiles without a user. One who cannot be cleaned up after waits until their turn comes again.
 * https://firebase.google.com/docs/auth/admin/manage-users#delete_multiple_users
 *
 * @returns how many accounts it cleaned up
 */
export async function sweepDeletedAccounts(backend: Backend): Promise<number> {
  const firestore = await backend.firestore();
  let after = await readSweepPosition(firestore);
  let cleaned = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const uids = await readProfileIds(firestore, after, PAGE_SIZE);
    const gone = (await withoutUser(backend, uids)).map((uid) => ({ uid, path: `users/${uid}` }));
    cleaned += await sweepEach(gone, ({ uid }) => cleanUpAccount(backend, { uid }));
    after = uids.length < PAGE_SIZE ? null : (uids.at(-1) ?? null);
    await saveSweepPosition(firestore, after);
    if (after === null) break;
  }
  return cleaned;
}

async function withoutUser({ auth }: Backend, uids: readonly string[]): Promise<string[]> {
  if (uids.length === 0) return [];
  const { notFound } = await auth.getUsers(uids.map((uid) => ({ uid })));
  return notFound.flatMap((identifier) => ('uid' in identifier ? [identifier.uid] : []));
}
