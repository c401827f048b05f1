import {
  createUserWithEmailAndPassword,
  signInWithEmailAndPassword,
  updateProfile,
  type Auth,
  type MultiFactorResolver,
  type User,
} from 'firebase/auth';
import { hearth } from '../backend/hearth.ts';
import { EmailField } from '../ui/email-field.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';
import { signInFirst } from './second-factor.ts';
import { signInTexts } from './texts.ts';

export interface SignInProps {
  auth: Auth;
  /** The address that the visitor probably uses. */
  email: string | undefined;
  /** @param isNew whether the account was made just now */
  onSignedIn: (user: User, isNew?: boolean) => Promise<void>;
  /** Called in place of `onSignedIn` if the account has a second factor. */
  onSecondFactor: (resolver: MultiFactorResolver) => void;
}

const Email = ({ email }: Pick<SignInProps, 'email'>) => (
  <EmailField label={signInTexts().email} autocomplete="email" defaultValue={email} />
);

export function SignIn({ auth, email, onSignedIn, onSecondFactor }: SignInProps) {
  const signIn = async (data: FormData) => {
    const first = await signInFirst(auth, () =>
      signInWithEmailAndPassword(auth, textOf(data, 'email'), textOf(data, 'password')),
    );
    if ('resolver' in first) onSecondFactor(first.resolver);
    else await onSignedIn(first.user);
  };
  return (
    <Form submit={signInTexts().signIn} onSubmit={signIn}>
      <Email email={email} />
      <Field
        label={signInTexts().password}
        name="password"
        type="password"
        autocomplete="current-password"
        required
      />
    </Form>
  );
}

export function SignUp({ auth, email, onSignedIn }: SignInProps) {
  const texts = signInTexts();
  const signUp = async (data: FormData) => {
    const { user } = await createUserWithEmailAndPassword(
      auth,
      textOf(data, 'email'),
      textOf(data, 'password'),
    );
    // The account exists now. If the name cannot be stored, the user can enter it again later.
    await updateProfile(user, { displayName: textOf(data, 'name').trim() }).catch(() => undefined);
    await onSignedIn(user, true);
  };
  return (
    <Form submit={texts.createAccount} onSubmit={signUp}>
      <Field label={texts.name} name="name" autocomplete="name" required maxLength={100} />
      <Email email={email} />
      <NewPasswordField label={texts.password} />
    </Form>
  );
}

export function NewPasswordField({ label }: { label: string }) {
  return (
    <Field
      label={label}
      name="password"
      type="password"
      autocomplete="new-password"
      required
      minLength={8}
      hint={signInTexts().passwordHint}
    />
  );
}

export function PasswordReset({ email }: Pick<SignInProps, 'email'>) {
  const texts = signInTexts();
  const send = async (data: FormData) => {
    await hearth.account.sendPasswordReset(textOf(data, 'email').trim());
    return texts.resetSent;
  };
  return (
    <>
      <p class="muted">{texts.resetLead}</p>
      <Form submit={texts.sendReset} onSubmit={send}>
        <Email email={email} />
      </Form>
    </>
  );
}
