import type { UserRecord } from 'firebase-admin/auth';
import { isTimestamp } from '../firestore/documents.ts';
import type { Caller } from '../auth/caller.ts';
import { assertRecentSignIn } from '../auth/recent-sign-in.ts';
import type { DataSubject, ExportPart, ExportParts } from '../personal-data/export-parts.ts';
import type { Backend } from '../backend.ts';

/** Keeps a request well inside the 60 seconds that Hosting waits. */
const MAX_ITEMS = 5_000;

type Sources = Pick<Backend, 'auth' | 'firestore' | 'hooks' | 'now'>;

/**
 * Streams everything about the caller as the text of one JSON object: one page of one list is in memory at a time. A
 * list of more than 5,000 items is cut off, and named in `incomplete` at the end.
 *
 * @throws Refusal 403 without a recent sign-in
 */
export async function exportOwnData(backend: Sources, caller: Caller): Promise<AsyncIterable<string>> {
  assertRecentSignIn(caller, backend.now());
  return exportUser(backend, { uid: caller.uid, maxItems: MAX_ITEMS });
}

/**
 * The same for any user, such as for the script of an operator.
 *
 * @param user `maxItems` bounds each list; there is no bound without
 * @throws the error of Firebase Auth for a user who does not exist, before any text
 */
export async function exportUser(
  { auth, firestore, hooks, now }: Sources,
  { uid, maxItems = Infinity }: { uid: string; maxItems?: number },
): Promise<AsyncIterable<string>> {
  const account = await auth.getUser(uid);
  const email = account.email?.toLowerCase();
  const subject = { uid, verifiedEmail: account.emailVerified ? email : undefined };
  const head = { exportedAt: now().toISOString(), account: accountOf(account) };
  const opened = await firestore();
  return write(head, hooks.exportParts, (part) => readPart(part, opened, subject), maxItems);
}

type Read = (part: ExportPart) => Promise<object | null> | AsyncIterable<object>;

async function* write(
  head: object,
  parts: ExportParts,
  read: Read,
  maxItems: number,
): AsyncGenerator<string> {
  const incomplete: string[] = [];
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, part] of Object.entries(parts)) {
    yield `,\n${JSON.stringify(name)}:`;
    const found = read(part);
    if (!(Symbol.asyncIterator in found)) {
      yield textOf(await found);
      continue;
    }
    let count = 0;
    yield '[';
    for await (const item of found) {
      if (count === maxItems) {
        incomplete.push(name);
        break;
      }
      yield (count++ === 0 ? '\n' : ',\n') + textOf(item);
    }
    yield ']';
  }
  yield `,\n"incomplete":${JSON.stringify(incomplete)}}\n`;
}

function readPart(
  part: ExportPart,
  firestore: Parameters<Extract<ExportPart, { one: unknown }>['one']>[0],
  subject: DataSubject,
): ReturnType<Read> {
  return 'one' in part ? part.one(firestore, subject) : part.many(firestore, subject);
}

/** Converts times to the format of the API. */
function textOf(value: object | null): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, plain: unknown) {
    const original = this[key];
    return isTimestamp(original) ? original.toDate().toISOString() : plain;
  });
}

/** The record of Firebase Auth without hashes of passwords and secrets of second factors. */
function accountOf(user: UserRecord): object {
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
    })),
  };
}
