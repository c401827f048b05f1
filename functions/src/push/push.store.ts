import { BRAND } from '@hearth/shared/brand';
import type { Tx } from '../firestore/db.ts';
import type { Push } from '../firestore/documents/push.ts';
import type { Config } from '../settings/config.ts';
import { LIFETIME_MS } from './message.ts';

/** Firebase Cloud Messaging allows 4,096 bytes for a whole message. */
const MAX_BODY = 200;

export interface NewPush {
  /** Id of the document, for a message that is written once. A random id by default. */
  id?: string;
  /** The recipient: a user, or the user with a verified address. */
  to: { uid: string } | { email: string };
  /** The uid of the user in whose name the message is sent. */
  sentBy?: string;
  /** One sentence, in the language of mail. */
  body: string;
  /** Fields for the app: the kind of the message and the page that shows more. */
  data: Readonly<Record<string, string>> & { type: string; url: string };
}

/**
 * Writes a push message into the outbox. It is sent if and only if the transaction commits. Does nothing if push
 * messages are off.
 */
export function writePush(
  tx: Tx,
  { pushMessages }: Pick<Config, 'pushMessages'>,
  { id, to, sentBy, body, data }: NewPush,
  now: Date,
): void {
  if (!pushMessages) return;
  const document: Push = {
    uid: 'uid' in to ? to.uid : null,
    email: 'email' in to ? to.email : null,
    sentBy: sentBy ?? null,
    title: BRAND.name,
    body: body.slice(0, MAX_BODY),
    data: { ...data },
    sentTo: [],
    createdAt: now,
    deleteAt: new Date(now.getTime() + LIFETIME_MS),
  };
  if (id === undefined) tx.pushes.createAsShortLivedProof(tx.pushes.newId(), document);
  else tx.pushes.create(id, document);
}
