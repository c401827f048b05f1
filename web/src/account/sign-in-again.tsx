import {
  EmailAuthProvider,
  GoogleAuthProvider,
  reauthenticateWithCredential,
  reauthenticateWithPopup,
  type User,
  type UserCredential,
} from 'firebase/auth';
import { startFirebase } from '../backend/firebase.ts';
import { hearth } from '../backend/hearth.ts';
import { OFFERS_PASSWORD } from '../backend/settings.ts';
import { UserFacingError } from '../errors.ts';
import { CodeField, codeOf } from '../sign-in/code-field.tsx';
import { authenticatorsOf, signInFirst, signInSecond } from '../sign-in/second-factor.ts';
import { Field, textOf } from '../ui/form.tsx';
import { accountTexts } from './texts.ts';

/** Whether a user can sign in with a password. */
export function hasPassword({ providerData }: User): boolean {
  return (
    OFFERS_PASSWORD && providerData.some(({ providerId }) => providerId === EmailAuthProvider.PROVIDER_ID)
  );
}

/** The part of a form in which a user proves once more who they are. */
export function SignInAgainField({ user }: { user: User }) {
  const texts = accountTexts().signInAgain;
  return (
    <>
      {hasPassword(user) ? (
        <Field
          label={texts.password}
          name="current-password"
          type="password"
          autocomplete="current-password"
          required
        />
      ) : (
        <p class="muted">{texts.google}</p>
      )}
      {authenticatorsOf(user).length > 0 && <CodeField />}
    </>
  );
}

/**
 * Signs a user in once more, at Firebase Auth and at the backend. Some actions need a sign-in within the last minutes.
 *
 * @param data of a form with `SignInAgainField`
 * @throws UserFacingError if an operator sees the service as another user. The new sign-in would end this silently, and
 *   the action would change the operator's own account.
 */
export async function signInAgain(user: User, data: FormData): Promise<void> {
  const { claims } = await user.getIdTokenResult();
  if ('impersonation' in claims) throw new UserFacingError(accountTexts().signInAgain.impersonated);
  if (hasPassword(user)) await signInWith(user, textOf(data, 'current-password'), data);
  else {
    await withCode(data, () => reauthenticateWithPopup(user, new GoogleAuthProvider()));
    await renewSession(user);
  }
}

/** The same with a password that the page knows, such as one that was just chosen. */
export async function signInWith(user: User, password: string, data: FormData): Promise<void> {
  const credential = EmailAuthProvider.credential(user.email ?? '', password);
  await withCode(data, () => reauthenticateWithCredential(user, credential));
  await renewSession(user);
}

/** Runs a sign-in, and completes it with the code of the form if the user has a second factor. */
async function withCode(data: FormData, signIn: () => Promise<UserCredential>): Promise<void> {
  const { auth } = await startFirebase();
  const first = await signInFirst(auth, signIn);
  if ('resolver' in first) await signInSecond(first.resolver, codeOf(data));
}

/** Starts the session of the backend anew, for the sign-in that Firebase Auth knows now. */
export async function renewSession(user: User): Promise<void> {
  await hearth.account.startSession(await user.getIdToken());
}
