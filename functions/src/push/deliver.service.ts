import type { UserRecord } from 'firebase-admin/auth';
import type { SendResponse } from 'firebase-admin/messaging';
import { usesRemovedMethod } from '../auth/sign-in-method.ts';
import type { Backend } from '../backend.ts';
import { logFault } from '../common/log.ts';
import { traced } from '../common/span.ts';
import type { Device, Push } from '../firestore/documents/push.ts';
import type { Found } from '../firestore/query.ts';
import { isOfEndedSignIn } from './device.service.ts';
import { LIFETIME_MS, messageOf, outcomeOf } from './message.ts';

/** Maximum number of devices in one call to Firebase Cloud Messaging. */
const MAX_DEVICES = 500;

/**
 * Sends a push message to the devices of its recipient, then deletes the message. Devices whose token is invalid are
 * removed. A repeated call continues with the devices that do not have the message. If the process died in between, a
 * device may get the message twice.
 *
 * @throws Error if a device could not be reached, so that the trigger runs again
 */
export async function deliverPush(backend: Backend, id: string): Promise<void> {
  const { db } = backend;
  const push = await db.pushes.getIntact(id);
  if (push === undefined) return;
  const devices = isOutdated(backend, push) ? [] : await devicesFor(backend, push);
  if (devices.length > 0) await sendTo(backend, id, push, devices);
  await db.pushes.delete(id);
}

function isOutdated({ now }: Backend, { createdAt }: Push): boolean {
  return now().getTime() - createdAt.getTime() > LIFETIME_MS;
}

/** The devices of the recipient that do not have the message yet. */
async function devicesFor(backend: Backend, { uid, email, sentTo }: Push): Promise<Found<Device>[]> {
  const { auth, db, now } = backend;
  const { users } = await auth.getUsers([uid === null ? { email: email ?? '' } : { uid }]);
  const [user] = users;
  if (user === undefined || user.disabled || (uid === null && !user.emailVerified)) return [];
  const devices = await db.devices.where('uid', '==', user.uid).limit(MAX_DEVICES).findIntact();
  const wanted = devices.filter(
    ({ id, data }) =>
      !sentTo.includes(id) && data.deleteAt > now() && isSignedIn(data, user) && hasMethod(data, user),
  );
  return withOpenSession(backend, user.uid, wanted);
}

/**
 * Leaves out devices whose session has ended. Usually the end of a session removes its devices, but not if an operator
 * deletes the document of the session.
 */
async function withOpenSession(
  { db }: Backend,
  uid: string,
  devices: readonly Found<Device>[],
): Promise<Found<Device>[]> {
  const sessions = await db.sessions(uid).getWithDamaged(devices.flatMap(({ data }) => data.sessionId ?? []));
  return devices.filter(({ data }) => data.sessionId === null || sessions.has(data.sessionId));
}

/**
 * False if the sign-in that registered the device has ended, such as by a password reset. After the next sign-in the
 * app registers the device again.
 */
function isSignedIn(device: Device, { tokensValidAfterTime }: UserRecord): boolean {
  return tokensValidAfterTime === undefined || !isOfEndedSignIn(device, new Date(tokensValidAfterTime));
}

/** False if the account has lost the sign-in method with which the device was registered. */
function hasMethod({ signInMethod, providerUids }: Device, user: UserRecord): boolean {
  return signInMethod === undefined || !usesRemovedMethod({ signInMethod, providerUids }, user);
}

/** @throws Error if a device could not be reached */
async function sendTo(
  backend: Backend,
  id: string,
  push: Push,
  devices: readonly Found<Device>[],
): Promise<void> {
  const { db } = backend;
  const messaging = await backend.messaging();
  const { responses } = await traced(
    () => ({
      name: 'fcm sendEach',
      kind: 'client',
      attributes: { 'gcp.client.service': 'fcm', 'messaging.batch.message_count': devices.length },
    }),
    () => messaging.sendEach(devices.map(({ data }) => messageOf(id, push, data.token))),
  );
  const results = devices.flatMap((device, index) => {
    const response = responses[index];
    return response === undefined ? [] : [{ device, response, outcome: outcomeOf(response) }];
  });
  // The device may belong to another user by now, but its token is invalid for every user.
  const invalid = results.filter(({ outcome }) => outcome === 'invalid-token');
  for (const { device } of invalid) await db.devices.delete(device.id);
  const impossible = results.find(({ outcome }) => outcome === 'impossible');
  if (impossible !== undefined) logImpossible(id, impossible.response);
  const failed = results.find(({ outcome }) => outcome === 'failed');
  if (failed === undefined) return;
  const done = results.filter(({ outcome }) => outcome !== 'failed').map(({ device }) => device.id);
  await db.pushes.update(id, { sentTo: [...push.sentTo, ...done] });
  // Not the error of the SDK: it contains the request, with the tokens of the device and of Google.
  throw new Error(`Not all devices could be reached: ${failed.response.error?.code ?? 'unknown'}`);
}

function logImpossible(pushId: string, { error }: SendResponse): void {
  logFault('Firebase Cloud Messaging refused a push message', { pushId }, error);
}
