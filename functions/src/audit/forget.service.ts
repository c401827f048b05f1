import type { Firestore, QueryDocumentSnapshot, Transaction } from 'firebase-admin/firestore';
import { inChunks } from '../firestore/documents.ts';
import { changeFound, type FormerUser, type RemoveTraces } from '../personal-data/removal.ts';
import { auditLog, type AuditEntry } from './audit-log.store.ts';

type Found = readonly QueryDocumentSnapshot<AuditEntry>[];

/** Replaces a deleted user's address in entries, such as those of their invitations. */
export const forgetAddress: RemoveTraces = async (backend, { verifiedEmail, pseudonym }, most) => {
  if (verifiedEmail === undefined) return 0;
  const firestore = await backend.firestore();
  const entries = auditLog(firestore).where('details.email', '==', verifiedEmail);
  return changeFound(firestore, entries, most, (transaction, found) => {
    for (const { ref } of found) transaction.update(ref, { 'details.email': pseudonym });
  });
};

/** Replaces a deleted user as the actor of entries. Runs after `forgetAddress`. */
export const forgetActor: RemoveTraces = async (backend, user, most) => {
  const firestore = await backend.firestore();
  const entries = auditLog(firestore).where('actorId', '==', user.uid);
  return changeFound(firestore, entries, most, async (transaction, found) => {
    const answered = await entriesOfAnswered(transaction, firestore, found, user);
    for (const { ref } of answered) transaction.update(ref, { 'details.email': user.pseudonym });
    for (const { ref } of found) transaction.update(ref, { actorId: user.pseudonym });
  });
};

/** Replaces a deleted user in entries about them as a team member. The address may be an earlier one of theirs. */
export const forgetTarget: RemoveTraces = async (backend, { uid, pseudonym }, most) => {
  const firestore = await backend.firestore();
  const entries = auditLog(firestore).where('target', '==', uid);
  return changeFound(firestore, entries, most, (transaction, found) => {
    for (const entry of found) {
      const hasEmail = entry.data().details['email'] !== undefined;
      transaction.update(entry.ref, { target: pseudonym, ...(hasEmail && { 'details.email': pseudonym }) });
    }
  });
};

/** Replaces a deleted user as the offerer in entries of accepted offers, such as of a team. */
export const forgetOfferer: RemoveTraces = async (backend, { uid, pseudonym }, most) => {
  const firestore = await backend.firestore();
  const entries = auditLog(firestore).where('details.offeredBy', '==', uid);
  return changeFound(firestore, entries, most, (transaction, found) => {
    for (const { ref } of found) transaction.update(ref, { 'details.offeredBy': pseudonym });
  });
};

/**
 * Finds all entries on invitations that the user answered under an earlier address. Entries with the current address are
 * pseudonymised already. Reads nothing if the user had no earlier address.
 */
async function entriesOfAnswered(
  transaction: Transaction,
  firestore: Firestore,
  found: Found,
  { pseudonym }: FormerUser,
): Promise<Found> {
  const addresses = new Map<string, string>();
  for (const entry of found) {
    const { action, target, details } = entry.data();
    const isAnswer = action === 'invitation.accepted' || action === 'invitation.rejected';
    const email = details['email'] ?? pseudonym;
    if (isAnswer && email !== pseudonym) addresses.set(target, email);
  }
  const entries: QueryDocumentSnapshot<AuditEntry>[] = [];
  for (const targets of inChunks([...addresses.keys()])) {
    const { docs } = await transaction.get(auditLog(firestore).where('target', 'in', targets));
    entries.push(...docs);
  }
  return entries.filter((entry) => {
    const { target, details } = entry.data();
    return details['email'] === addresses.get(target);
  });
}
