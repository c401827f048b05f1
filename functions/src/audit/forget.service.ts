import { inChunks } from '../firestore/chunks.ts';
import type { Reads } from '../firestore/db.ts';
import type { AuditEntry } from '../firestore/documents/audit-entry.ts';
import { isIntact, type MaybeDamaged, type Found } from '../firestore/query.ts';
import type { Forget } from '../personal-data/purge.ts';

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
 * Runs after `forgetAddressInAuditLog`, which replaces the current address.
 */
export const forgetActorInAuditLog: Forget = ({ db }, { uid, pseudonym }, limit) => {
  const find = (reads: Reads) => reads.auditLog.where('actorId', '==', uid);
  return db.changeBatch(find, limit, async (tx, found) => {
    const repliedTo = await entriesAboutReplies(tx, found, pseudonym);
    for (const { id } of repliedTo) tx.auditLog.update(id, { 'details.email': pseudonym });
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
 * @param found entries of actions by the user
 */
async function entriesAboutReplies(
  reads: Reads,
  found: readonly MaybeDamaged<AuditEntry>[],
  pseudonym: string,
): Promise<Found<AuditEntry>[]> {
  const addresses = new Map(found.filter(isIntact).flatMap((entry) => repliedAs(entry, pseudonym)));
  const entries: Found<AuditEntry>[] = [];
  for (const targets of inChunks([...addresses.keys()])) {
    entries.push(...(await reads.auditLog.where('target', 'in', targets).findIntact()));
  }
  return entries.filter(({ data }) => data.details['email'] === addresses.get(data.target));
}

/**
 * The id of the invitation that the user replied to, and the address in the entry. Empty if the entry is not a reply,
 * or if the address is replaced already.
 */
function repliedAs({ data }: Found<AuditEntry>, pseudonym: string): [invitationId: string, email: string][] {
  const { action, target, details } = data;
  const isReply = action === 'invitation.accepted' || action === 'invitation.rejected';
  const email = details['email'] ?? pseudonym;
  return isReply && email !== pseudonym ? [[target, email]] : [];
}
