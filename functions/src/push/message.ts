import type { Message, SendResponse } from 'firebase-admin/messaging';
import { DAY_MS } from '../common/durations.ts';
import type { Push } from '../firestore/documents/push.ts';

/** Time after which an unsent push message is discarded. */
export const LIFETIME_MS = DAY_MS;

/**
 * Failures that are due to the token: no device has it any more, or it belongs to another project. A malformed token
 * has the same code as a malformed message. The Admin SDK gives one code to a token of another project and to a missing
 * permission of ours, and one code to an unknown token and to an unknown project.
 * https://firebase.google.com/docs/cloud-messaging/manage-tokens
 */
const INVALID_TOKEN: readonly Failure[] = [
  { code: 'messaging/registration-token-not-registered', text: /UNREGISTERED/ },
  { code: 'messaging/invalid-registration-token' },
  { code: 'messaging/mismatched-credential', text: /sender ?id/i },
  { code: 'messaging/invalid-argument', text: /registration token/i },
];

/**
 * Other failures that a repeated call cannot repair: a missing key for Apple's service or for browsers, or a malformed
 * message. The Admin SDK gives one code to a missing key and to refused credentials of ours.
 */
const PERMANENT: readonly Failure[] = [
  { code: 'messaging/third-party-auth-error', text: /APNS|web ?push/i },
  { code: 'messaging/invalid-argument' },
];

interface Failure {
  code: string;
  /** For a code with several meanings: what the message or the answer of Google contains. */
  text?: RegExp;
}

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

/** Only a failure of the token itself gives `invalid-token`: the device is deleted then. */
export function outcomeOf({ success, error }: SendResponse): PushOutcome {
  if (success) return 'sent';
  const { code = '', message = '', httpResponse } = error ?? {};
  const text = `${message} ${JSON.stringify(httpResponse?.data)}`;
  const isIn = (failures: readonly Failure[]) =>
    failures.some((failure) => failure.code === code && (failure.text?.test(text) ?? true));
  if (isIn(INVALID_TOKEN)) return 'invalid-token';
  return isIn(PERMANENT) ? 'impossible' : 'failed';
}
