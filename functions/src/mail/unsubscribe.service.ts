import { refuse } from '../refusals.ts';
import type { Backend } from '../backend.ts';
import { transact } from '../firestore/transaction.ts';
import { afterChoice } from './recipient.ts';
import { recipientsByToken } from './recipient.store.ts';

/**
 * Whether the owner of a mailbox receives mail that others ask for, such as invitations.
 *
 * @param token from the link in such a mail
 * @throws Refusal 404 for a token of no mailbox
 */
export async function receivesMail(backend: Backend, token: string): Promise<boolean> {
  const { docs } = await recipientsByToken(await backend.firestore(), token).get();
  const [recipient] = docs;
  if (recipient === undefined) throw unknownLink();
  return recipient.data().optedOutAt === null;
}

/**
 * Stores whether the owner of a mailbox wants such mail. Idempotent.
 *
 * @throws Refusal as receivesMail
 */
export async function chooseMail(backend: Backend, token: string, wanted: boolean): Promise<void> {
  const firestore = await backend.firestore();
  await transact(firestore, async (transaction) => {
    const { docs } = await transaction.get(recipientsByToken(firestore, token));
    const [recipient] = docs;
    if (recipient === undefined) throw unknownLink();
    if ((recipient.data().optedOutAt === null) === wanted) return;
    transaction.update(firestore.doc(recipient.ref.path), afterChoice(!wanted, backend.now()));
  });
}

const unknownLink = () => refuse('unknown_link');
