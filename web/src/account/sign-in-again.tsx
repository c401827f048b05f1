import {
  EmailAuthProvider,
  GoogleAuthProvider,
  reauthenticateWithCredential,
  reauthenticateWithPopup,
  type User,
} from 'firebase/auth';
import { hearth } from '../backend/hearth.ts';
import { Field, textOf } from '../ui/form.tsx';

/** Whether a user can sign in with a password. */
export function hasPassword({ providerData }: User): boolean {
  return providerData.some(({ providerId }) => providerId === EmailAuthProvider.PROVIDER_ID);
}

/** The part of a form in which a user proves once more who they are. */
export function SignInAgainField({ user }: { user: User }) {
  if (!hasPassword(user)) return <p class="muted">Google asks you to sign in once more.</p>;
  return (
    <Field
      label="Your password"
      name="current-password"
      type="password"
      autocomplete="current-password"
      required
    />
  );
}

/**
 * Signs a user in once more, at Firebase Auth and at the backend. Some actions need a sign-in within the last minutes.
 *
 * @param data of a form with `SignInAgainField`
 */
export async function signInAgain(user: User, data: FormData): Promise<void> {
  if (hasPassword(user)) await signInWith(user, textOf(data, 'current-password'));
  else {
    await reauthenticateWithPopup(user, new GoogleAuthProvider());
    await renewSession(user);
  }
}

/** The same with a password that the page knows, such as one that was just chosen. */
export async function signInWith(user: User, password: string): Promise<void> {
  await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? '', password));
  await renewSession(user);
}

async function renewSession(user: User): Promise<void> {
  await hearth.account.startSession(await user.getIdToken());
}
