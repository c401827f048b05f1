import * as z from 'zod';

export const DELIVERY_STATES = ['PENDING', 'PROCESSING', 'SUCCESS', 'ERROR', 'RETRY'] as const;

/** Answer of the mail server to a mail that it accepted. */
const deliveryInfoSchema = z.object({
  messageId: z.string(),
  accepted: z.array(z.string()),
  rejected: z.array(z.string()),
  response: z.string(),
});

export type DeliveryInfo = z.output<typeof deliveryInfoSchema>;

/**
 * State of the delivery of a mail, in the shape of the Trigger Email extension.
 *
 * - `PENDING`: waits for the trigger, which makes the first attempt, or for the schedule, which makes an attempt from
 *   `dueTime` on. After a failed attempt `error` has the reason.
 * - `PROCESSING`: one process sends it, until `leaseExpireTime`.
 * - `SUCCESS`, `ERROR`: final, unless an operator writes `RETRY`.
 *
 * An operator or another program may write `delivery`, so no value of it makes a mail unreadable. A field that is
 * missing or has a wrong type counts as not set. If `state` is not valid, the delivery is read as `DAMAGED`, which is
 * never stored.
 */
const deliverySchema = z.object({
  state: z.enum([...DELIVERY_STATES, 'DAMAGED']),
  /** When the mail was written. After `RETRY`, and for mail of other programs: when the first attempt began. */
  startTime: z.date().nullable().catch(null),
  endTime: z.date().nullable().catch(null),
  attempts: z.number().catch(0),
  error: z.string().nullable().catch(null),
  leaseExpireTime: z.date().nullable().catch(null),
  /** Identifies the lease, or the call that gave up the mail. The extension has no such field. */
  leaseKey: z.string().nullable().catch(null),
  /** When the schedule looks at the mail, unless its state is final by that time. The extension has no such field. */
  dueTime: z.date().nullable().catch(null),
  info: deliveryInfoSchema.nullable().catch(null),
});

export type Delivery = z.output<typeof deliverySchema>;

const DAMAGED: Delivery = {
  state: 'DAMAGED',
  startTime: null,
  endTime: null,
  attempts: 0,
  error: null,
  leaseExpireTime: null,
  leaseKey: null,
  dueTime: null,
  info: null,
};

/**
 * `mail/{id}`: an operator or another program may write a mail as well, so `deliverMail` validates the content. Other
 * fields, such as `cc`, stay in the parsed document, so that `deliverMail` can refuse the mail.
 */
export const mailSchema = z.looseObject({
  to: z.unknown().exactOptional(),
  message: z.unknown().exactOptional(),
  /** The uid of the user in whose name the mail is sent. */
  sentBy: z.unknown().exactOptional(),
  headers: z.unknown().exactOptional(),
  /** True for the mail that confirms the deletion of an account. Forgetting the user does not delete this mail. */
  outlivesAccount: z.unknown().exactOptional(),
  /** Missing in mail of other programs. */
  delivery: deliverySchema.catch(DAMAGED).exactOptional(),
  /** When Firestore's TTL policy deletes the mail, in any state. */
  deleteAt: z.unknown().exactOptional(),
});

export type Mail = z.output<typeof mailSchema>;

/**
 * `mailRecipients/{hash of the mailbox}`: mails that users sent to a mailbox, and whether the owner of the mailbox
 * wants more. No field contains the address.
 */
export const recipientSchema = z.object({
  /** Identifies the mailbox in links that stop mail from users. Only mail to the mailbox contains this token. */
  token: z.string(),
  /** When the owner of the mailbox opted out of mail from users; null without an opt-out. */
  optedOutAt: z.date().nullable(),
  /** Mails in the window that ends at `countedUntil`. */
  count: z.number(),
  countedUntil: z.date(),
  /** The time of the last mail about each topic, by `topicKeyOf`. An entry may be removed when its pause is over. */
  lastSentAt: z.record(z.string(), z.date()),
  /** When Firestore's TTL policy deletes the document; null while the owner of the mailbox has opted out. */
  deleteAt: z.date().nullable(),
});

export type RecipientRecord = z.output<typeof recipientSchema>;
