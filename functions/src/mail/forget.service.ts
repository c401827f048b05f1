import type { Delivery } from '../firestore/documents/mail.ts';
import type { Forget } from '../personal-data/purge.ts';
import { mailSentBy, mailToAddress } from './outbox.store.ts';

/**
 * Deletes mail to a deleted user, sent or not, except for the mail that confirms the deletion. Mail to several people
 * stays, without the user's address.
 *
 * Not by `changeBatch`, because the query also finds mail that stays. A full batch of such mail would be found again
 * and again: an address has one confirmation for each of its deleted accounts.
 */
export const forgetMailTo: Forget = async ({ db }, { verifiedEmail }, limit) => {
  if (verifiedEmail === undefined || (await mailToAddress(db, verifiedEmail).isEmpty())) return 0;
  return db.run(async (tx) => {
    let forgotten = 0;
    for await (const { id, data } of mailToAddress(tx, verifiedEmail).streamWithDamaged(limit)) {
      if (data?.outlivesAccount === true) continue;
      const recipients: unknown[] = Array.isArray(data?.to) ? data.to : [];
      const to = recipients.filter((address) => address !== verifiedEmail);
      if (to.length === 0) tx.mail.delete(id);
      else tx.mail.update(id, { to, ...(data?.delivery && withoutAnswer(data.delivery, verifiedEmail)) });
      forgotten += 1;
      if (forgotten === limit) break;
    }
    return forgotten;
  });
};

/** Removes the server's answer, because it names all recipients. An error stays unless it names the address. */
function withoutAnswer({ error }: Delivery, address: string) {
  const namesAddress = error?.toLowerCase().includes(address) === true;
  return { 'delivery.info': null, ...(namesAddress && { 'delivery.error': null }) };
}

/** Deletes mail in the name of a deleted user, because it contains their name or address. */
export const forgetMailBy: Forget = async ({ db }, { uid }, limit) =>
  db.changeBatch(
    (reads) => mailSentBy(reads, uid),
    limit,
    (tx, found) => {
      for (const { id } of found) tx.mail.delete(id);
    },
  );
