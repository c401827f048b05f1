import { changeFound, type RemoveTraces } from '../personal-data/removal.ts';
import { mailBy, mailTo } from './outbox.store.ts';

/** Removes mail to a deleted user, sent or not. Mail to several people stays, without the user's address. */
export const removeMailTo: RemoveTraces = async (backend, { verifiedEmail }, most) => {
  if (verifiedEmail === undefined) return 0;
  const firestore = await backend.firestore();
  return changeFound(firestore, mailTo(firestore, verifiedEmail), most, (transaction, found) => {
    for (const mail of found) {
      const { to, delivery } = mail.data();
      const others = Array.isArray(to) ? to.filter((address) => address !== verifiedEmail) : [];
      if (others.length === 0) transaction.delete(mail.ref);
      // The server's answer names all recipients.
      else transaction.update(mail.ref, { to: others, ...(delivery && { 'delivery.info': null }) });
    }
  });
};

/** Removes mail in the name of a deleted user: it contains their name or address. */
export const removeMailBy: RemoveTraces = async (backend, { uid }, most) => {
  const firestore = await backend.firestore();
  return changeFound(firestore, mailBy(firestore, uid), most, (transaction, found) => {
    for (const { ref } of found) transaction.delete(ref);
  });
};
