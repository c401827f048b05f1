import * as z from 'zod';

/** `devices/{id}`: a device of a user that gets push messages. The id is a hash of the token. */
export const deviceSchema = z.object({
  uid: z.string(),
  /** The token of Firebase Cloud Messaging. */
  token: z.string(),
  /** The session by cookie in which the device was registered; null for a client with ID tokens. */
  sessionId: z.string().nullable(),
  /** When the user signed in who registered the device. An earlier version stored no time. */
  signedInAt: z.exactOptional(z.date()),
  /** The method of this sign-in, as in a session. An earlier version stored none. */
  signInMethod: z.exactOptional(z.string()),
  providerUids: z.array(z.string()).default([]),
  seenAt: z.date(),
  /** When Firestore's TTL policy deletes the document, unless the app registers the device again. */
  deleteAt: z.date(),
});

export type Device = z.output<typeof deviceSchema>;

/** `pushes/{id}`: a push message to the devices of one user. Deleted after it was sent. */
export const pushSchema = z.object({
  /** The uid of the recipient; null if `email` names the recipient. */
  uid: z.string().nullable(),
  /** The verified address of the recipient, lower case; null if `uid` names the recipient. */
  email: z.string().nullable(),
  /** The uid of the user in whose name the message is sent; null for the service. */
  sentBy: z.string().nullable(),
  title: z.string(),
  body: z.string(),
  /** Fields for the app. */
  data: z.record(z.string(), z.string()),
  /** Ids of the devices that have got the message. */
  sentTo: z.array(z.string()),
  createdAt: z.date(),
  /** If the message could not be sent: when Firestore's TTL policy deletes the document. */
  deleteAt: z.date(),
});

export type Push = z.output<typeof pushSchema>;
