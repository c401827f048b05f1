import type { Backend } from '../backend.ts';
import { readRecipientByToken } from './recipient.store.ts';
import { afterChoice } from './recipient.ts';

/**
 * True if the owner of a mailbox receives mail that other people request, such as invitations.
 *
 * @param token from the link in the mail
 * @throws Refusal `unknown_link` for a token of no mailbox
 */
export async function receivesMail({ db }: Backend, token: string): Promise<boolean> {
  const { data } = await readRecipientByToken(db, token);
  return data.optedOutAt === null;
}

/**
 * Stores whether the owner of a mailbox wants mail that other people request. Idempotent.
 *
 * @throws Refusal `unknown_link` for a token of no mailbox
 */
export async function saveMailChoice({ db, now }: Backend, token: string, isWanted: boolean): Promise<void> {
  await db.run(async (tx) => {
    const { id, data } = await readRecipientByToken(tx, token);
    const isReceiving = data.optedOutAt === null;
    if (isReceiving !== isWanted) tx.mailRecipients.update(id, afterChoice(!isWanted, now()));
  });
}
