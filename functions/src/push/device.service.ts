import { createHash } from 'node:crypto';
import type { Caller } from '../auth/caller.ts';
import type { Backend } from '../backend.ts';
import { DAY_MS } from '../common/durations.ts';
import type { Device } from '../firestore/documents/push.ts';
import type { Purge, Forget } from '../personal-data/purge.ts';
import { refusal } from '../refusals/refusals.ts';

/** Firebase Cloud Messaging ends the token of a device that was silent for so long. */
const KEPT_MS = 270 * DAY_MS;

/** The most devices of one user. A further device replaces the device that was seen least recently. */
const MAX_DEVICES = 50;

/** Concurrent registrations may exceed `MAX_DEVICES` for a moment. */
const MAX_REMOVED = 500;

export const DEVICE_ID = /^[0-9a-f]{40}$/;

function deviceIdOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 40);
}

/**
 * Registers the device with a token for the caller, or renews the registration. If another user has registered the
 * device before, it belongs to the caller now.
 *
 * @param sessionId of the caller's session by cookie; its end or expiry removes the device
 * @returns the id of the device
 * @throws Refusal `not_found` if push messages are off; `credentials_ended` if the session has ended meanwhile
 */
export async function registerDevice(
  backend: Backend,
  { uid, signedInAt, signIn }: Pick<Caller, 'uid' | 'signedInAt' | 'signIn'>,
  { token, sessionId = null }: { token: string; sessionId: string | null | undefined },
): Promise<string> {
  const { config, db, now } = backend;
  if (!config.pushMessages) throw refusal('not_found');
  const id = deviceIdOf(token);
  const seenAt = now();
  const deleteAt = new Date(seenAt.getTime() + KEPT_MS);
  const { signInMethod, providerUids } = signIn;
  const method = { signInMethod, providerUids: [...providerUids] };
  const device = { uid, token, sessionId, signedInAt, ...method, seenAt, deleteAt };
  if (sessionId === null) await db.devices.set(id, device);
  else {
    await db.run(async (tx) => {
      // The end of a session deletes its document before its devices. Therefore either this transaction finds no
      // session, or the end of the session finds the device.
      const session = await tx.sessions(uid).getIntact(sessionId);
      if (session === undefined) throw refusal('credentials_ended');
      tx.devices.set(id, { ...device, deleteAt: session.expiresAt });
    });
  }
  await removeSurplus(backend, uid);
  return id;
}

async function removeSurplus({ db }: Backend, uid: string): Promise<void> {
  const own = db.devices.where('uid', '==', uid);
  if ((await own.count()) <= MAX_DEVICES) return;
  const devices = await own.findIntact();
  devices.sort((one, other) => other.data.seenAt.getTime() - one.data.seenAt.getTime());
  for (const { id } of devices.slice(MAX_DEVICES)) await db.devices.delete(id);
}

/** Removes a device of the caller. Idempotent. Does nothing if the device belongs to another user by now. */
export async function removeDevice({ db }: Backend, { uid }: Caller, id: string): Promise<void> {
  await db.run(async (tx) => {
    const device = await tx.devices.getIntact(id);
    if (device?.uid === uid) tx.devices.delete(id);
  });
}

/** Removes the devices that were registered in a session by cookie. Call it after the session has ended. */
export async function removeDevicesOfSession(
  { config, db }: Backend,
  uid: string,
  sessionId: string,
): Promise<void> {
  if (!config.pushMessages) return;
  await db.purge(db.devices.where('uid', '==', uid).where('sessionId', '==', sessionId), MAX_DEVICES);
}

/**
 * Removes the devices of sign-ins that have ended. A transaction, because a later sign-in may register one of these
 * devices at the same moment. Then the device stays. Reads each device of the user.
 */
export async function removeDevicesOfEndedSignIns(
  { config, db }: Backend,
  uid: string,
  endedAt: Date,
): Promise<void> {
  if (!config.pushMessages) return;
  await db.run(async (tx) => {
    const devices = await tx.devices.where('uid', '==', uid).limit(MAX_REMOVED).findWithDamaged();
    for (const { id, data } of devices) {
      if (data === undefined || isOfEndedSignIn(data, endedAt)) tx.devices.delete(id);
    }
  });
}

/** True if the device was registered with a sign-in from before `endedAt`. */
export function isOfEndedSignIn(
  { signedInAt, seenAt }: Pick<Device, 'signedInAt' | 'seenAt'>,
  endedAt: Date,
): boolean {
  return (signedInAt ?? seenAt) < endedAt;
}

export const purgeDevices: Purge = ({ db }, uid, limit) =>
  db.purge(db.devices.where('uid', '==', uid), limit);

/** Deletes messages to a deleted user that were not sent. */
export const forgetPushesTo: Forget = async ({ config, db }, { uid, verifiedEmail }, limit) => {
  if (!config.pushMessages) return 0;
  const removed = await db.purge(db.pushes.where('uid', '==', uid), limit);
  if (verifiedEmail === undefined || removed === limit) return removed;
  return db.purge(db.pushes.where('email', '==', verifiedEmail), limit);
};

/** Deletes messages in the name of a deleted user that were not sent, because they contain the user's name. */
export const forgetPushesBy: Forget = async ({ config, db }, { uid }, limit) =>
  config.pushMessages ? db.purge(db.pushes.where('sentBy', '==', uid), limit) : 0;
