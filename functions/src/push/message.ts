import type { Message, SendResponse } from 'firebase-admin/messaging';
import type { Push } from '../firestore/documents/push.ts';
import { LIFETIME_MS } from './push.store.ts';

/**
 * Codes for a token that no device has any more, or that belongs to another project.
 * https://firebase.google.com/docs/cloud-messaging/manage-tokens
 */
const INVALID_TOKEN = [
  'messaging/registration-token-not-registered',
  'messaging/invalid-registration-token',
  'messaging/mismatched-credential',
];

/** Codes of failures that a repeated call cannot repair, such as a missing key for Apple's service. */
const PERMANENT = ['messaging/third-party-auth-error', 'messaging/invalid-argument'];

/** The message for one device. If the message arrives twice, the device shows it once, because of its id. */
export function messageOf(
  id: string,
  { title, body, data, createdAt }: Pick<Push, 'title' | 'body' | 'data' | 'createdAt'>,
  token: string,
): Message {
  const expiresAt = Math.floor((createdAt.getTime() + LIFETIME_MS) / 1000);
  const url = data['url'] ?? '';
  return {
    token,
    notification: { title, body },
    data,
    android: { ttl: LIFETIME_MS, notification: { tag: id } },
    apns: { headers: { 'apns-collapse-id': id, 'apns-expiration': `${expiresAt}` } },
    webpush: {
      headers: { TTL: `${LIFETIME_MS / 1000}` },
      notification: { tag: id },
      // Firebase Cloud Messaging refuses other links.
      ...(url.startsWith('https:') && { fcmOptions: { link: url } }),
    },
  };
}

export type PushOutcome = 'sent' | 'invalid-token' | 'impossible' | 'failed';

/** A malformed token has the same code as a malformed message, but its text names the token. */
export function outcomeOf({ success, error }: SendResponse): PushOutcome {
  if (success) return 'sent';
  const { code = '', message = '' } = error ?? {};
  if (INVALID_TOKEN.includes(code)) return 'invalid-token';
  if (code === 'messaging/invalid-argument' && /registration token/i.test(message)) return 'invalid-token';
  return PERMANENT.includes(code) ? 'impossible' : 'failed';
}
