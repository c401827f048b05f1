import type { UserRecord } from 'firebase-admin/auth';
import type { Caller } from '../auth/caller.ts';
import { requireRecentSignIn } from '../auth/recent-sign-in.ts';
import type { Backend } from '../backend.ts';
import type { ExportedUser } from '../personal-data/export-parts.ts';
import { exportText } from './export-text.service.ts';

/** Keeps a request well below the 60 seconds that Hosting waits. */
const MAX_ITEMS = 5_000;

type Sources = Pick<Backend, 'auth' | 'db' | 'featureHooks' | 'now'>;

/**
 * Streams all data about the caller as the text of one JSON object. Only one page of one list is in memory. A list of
 * more than 5,000 items is cut off, and `incomplete` names the list.
 *
 * @throws Refusal `recent_sign_in_required`
 */
export async function exportOwnData(backend: Sources, caller: Caller): Promise<AsyncIterable<string>> {
  requireRecentSignIn(caller, backend.now());
  return exportUser(backend, { uid: caller.uid, maxItems: MAX_ITEMS });
}

/**
 * Streams all data about any user. The calling function must check that the export is allowed.
 *
 * @param user.maxItems the most items of each list; unlimited by default
 * @throws the error of Firebase Auth for an unknown user, before any text is streamed
 */
export async function exportUser(
  { auth, db, featureHooks, now }: Sources,
  { uid, maxItems = Infinity }: { uid: string; maxItems?: number },
): Promise<AsyncIterable<string>> {
  const account = await auth.getUser(uid);
  const head = { exportedAt: now().toISOString(), account: accountRecordOf(account) };
  return exportText({
    db,
    head,
    parts: featureHooks.exportParts,
    subject: exportedUserOf(account),
    maxItems,
  });
}

function exportedUserOf({ uid, email, emailVerified }: UserRecord): ExportedUser {
  return { uid, verifiedEmail: emailVerified ? email?.toLowerCase() : undefined };
}

/** The record of Firebase Auth, without password hashes and without the secrets of second factors. */
export function accountRecordOf(user: UserRecord): object {
  const { uid, email, emailVerified, displayName, photoURL, phoneNumber, disabled, customClaims } = user;
  const { creationTime, lastSignInTime, lastRefreshTime } = user.metadata;
  return {
    uid,
    email,
    emailVerified,
    displayName,
    photoURL,
    phoneNumber,
    disabled,
    customClaims,
    createdAt: creationTime,
    lastSignInAt: lastSignInTime,
    lastRefreshAt: lastRefreshTime,
    signInMethods: user.providerData.map((provider) => ({
      providerId: provider.providerId,
      uid: provider.uid,
      email: provider.email,
      displayName: provider.displayName,
      photoURL: provider.photoURL,
      phoneNumber: provider.phoneNumber,
    })),
    secondFactors: (user.multiFactor?.enrolledFactors ?? []).map((factor) => ({
      factorId: factor.factorId,
      displayName: factor.displayName,
      enrolledAt: factor.enrollmentTime,
      ...('phoneNumber' in factor && { phoneNumber: factor.phoneNumber }),
    })),
  };
}
