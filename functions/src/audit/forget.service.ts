import { inChunks } from '../firestore/chunks.ts';
import { DamagedDocument } from '../firestore/damage.ts';
import type { Reads } from '../firestore/db.ts';
import type { AuditEntry } from '../firestore/documents/audit-entry.ts';
import { isIntact, type Found } from '../firestore/query.ts';
import type { Forget, UserToForget } from '../personal-data/purge.ts';

/** Replaces a deleted user's address in entries, such as entries about invitations to this address. */
export const forgetAddressInAuditLog: Forget = async ({ db }, { verifiedEmail, pseudonym }, limit) => {
  if (verifiedEmail === undefined) return 0;
  const find = (reads: Reads) => reads.auditLog.where('details.email', '==', verifiedEmail);
  return db.changeBatch(find, limit, (tx, found) => {
    for (const { id } of found) tx.auditLog.update(id, { 'details.email': pseudonym });
  });
};

/**
 * Replaces a deleted user as the actor of entries, and earlier addresses with which the user replied to invitations.
 * Deletes these invitations as well: after this change, no entry shows that they were to the user. Runs after
 * `forgetAddressInAuditLog`, which replaces the current address.
 */
export const forgetActorInAuditLog: Forget = ({ db }, user, limit) => {
  const { uid, pseudonym } = user;
  const find = (reads: Reads) => reads.auditLog.where('actorId', '==', uid);
  return db.changeBatch(find, limit, async (tx, found) => {
    const addresses = await addressesOfReplies(tx, found.filter(isIntact), user);
    const [entries, invitations] = await Promise.all([
      entriesAboutReplies(tx, addresses),
      invitationsRepliedTo(tx, addresses),
    ]);
    for (const { id } of entries) tx.auditLog.update(id, { 'details.email': pseudonym });
    for (const id of invitations) tx.invitations.delete(id);
    for (const { id } of found) tx.auditLog.update(id, { actorId: pseudonym });
  });
};

/**
 * Replaces a deleted user in entries about them, as a team member or as the recipient of mail. An entry may have an
 * earlier address of the user.
 */
export const forgetTargetInAuditLog: Forget = ({ db }, { uid, pseudonym }, limit) => {
  const find = (reads: Reads) => reads.auditLog.where('target', '==', uid);
  return db.changeBatch(find, limit, (tx, found) => {
    for (const { id, data } of found) {
      // A damaged entry may have an address as well.
      const has = (name: string) => data === undefined || data.details[name] !== undefined;
      tx.auditLog.update(id, {
        target: pseudonym,
        ...(has('email') && { 'details.email': pseudonym }),
        // The id of a mail may contain the uid.
        ...(has('mail') && { 'details.mail': pseudonym }),
      });
    }
  });
};

/** Replaces a deleted user in entries about transfer offers that they made. */
export const forgetOffererInAuditLog: Forget = ({ db }, { uid, pseudonym }, limit) => {
  const find = (reads: Reads) => reads.auditLog.where('details.offeredBy', '==', uid);
  return db.changeBatch(find, limit, (tx, found) => {
    for (const { id } of found) tx.auditLog.update(id, { 'details.offeredBy': pseudonym });
  });
};

/** Replaces a deleted user in entries about teams that an operator gave another responsible owner. */
export const forgetFormerOwnerInAuditLog: Forget = ({ db }, { uid, pseudonym }, limit) => {
  const find = (reads: Reads) => reads.auditLog.where('details.from', '==', uid);
  return db.changeBatch(find, limit, (tx, found) => {
    for (const { id } of found) tx.auditLog.update(id, { 'details.from': pseudonym });
  });
};

/**
 * Finds all entries about invitations that the user replied to with an earlier address, which
 * `forgetAddressInAuditLog` does not know. Example: the user accepted as `old@…` and then changed the address. All
 * entries about this invitation have `old@…`.
 *
 * @param addresses the addresses of the replies, by the ids of the invitations
 */
async function entriesAboutReplies(
  reads: Reads,
  addresses: ReadonlyMap<string, string>,
): Promise<Found<AuditEntry>[]> {
  const entries: Found<AuditEntry>[] = [];
  for (const targets of inChunks([...addresses.keys()])) {
    entries.push(...(await reads.auditLog.where('target', 'in', targets).findIntact()));
  }
  return entries.filter(({ data }) => data.details['email'] === addresses.get(data.target));
}

/** Ids of the stored invitations to these addresses, also of damaged ones. */
async function invitationsRepliedTo(reads: Reads, addresses: ReadonlyMap<string, string>): Promise<string[]> {
  const found = [...(await reads.invitations.getWithDamaged(addresses.keys()))];
  return found
    .filter(([id, data]) => data instanceof DamagedDocument || data.email === addresses.get(id))
    .map(([id]) => id);
}

/**
 * The addresses in entries about invitations to the user, by the ids of the invitations. Without addresses that are
 * replaced already.
 *
 * @param found entries of actions by the user
 */
async function addressesOfReplies(
  reads: Reads,
  found: readonly Found<AuditEntry>[],
  user: Pick<UserToForget, 'uid' | 'pseudonym'>,
): Promise<Map<string, string>> {
  const replies = found.filter(
    ({ data: { action } }) => action === 'invitation.accepted' || action === 'invitation.rejected',
  );
  const toUser = [...replies, ...(await replacedByJoining(reads, found, user))];
  return new Map(
    toUser.flatMap(({ data: { target, details } }) => {
      const email = details['email'] ?? user.pseudonym;
      return email === user.pseudonym ? [] : [[target, email]];
    }),
  );
}

/**
 * Entries about invitations that were cancelled because the user joined the team by a shared invitation. A member who
 * invites somebody again replaces an invitation, too. Then not the user, but another person replies to the new one.
 */
async function replacedByJoining(
  reads: Reads,
  found: readonly Found<AuditEntry>[],
  { uid, pseudonym }: Pick<UserToForget, 'uid' | 'pseudonym'>,
): Promise<Found<AuditEntry>[]> {
  const replacedBy = ({ data }: Found<AuditEntry>) =>
    data.action === 'invitation.cancelled' ? (data.details['replacedBy'] ?? '') : '';
  const replaced = found.filter((entry) => replacedBy(entry) !== '');
  const joined = new Set<string>();
  for (const targets of inChunks(replaced.map(replacedBy))) {
    for (const { data } of await reads.auditLog.where('target', 'in', targets).findIntact()) {
      // An earlier batch may have replaced the actor.
      const isByUser = data.actorId === uid || data.actorId === pseudonym;
      if (isByUser && data.action === 'invitation.accepted') joined.add(data.target);
    }
  }
  return replaced.filter((entry) => joined.has(replacedBy(entry)));
}
