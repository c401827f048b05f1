import {
  createUserWithEmailAndPassword,
  signInWithEmailAndPassword,
  updateProfile,
  type Auth,
  type MultiFactorResolver,
  type User,
} from 'firebase/auth';
import { hearth } from '../backend/hearth.ts';
import { Field, Form, textOf } from '../ui/form.tsx';
import { signInFirst } from './second-factor.ts';

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
  <Field
    label="E-mail"
    name="email"
    type="email"
    autocomplete="email"
    required
    maxLength={254}
    defaultValue={email}
  />
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
    <Form submit="Sign in" onSubmit={signIn}>
      <Email email={email} />
      <Field label="Password" name="password" type="password" autocomplete="current-password" required />
    </Form>
  );
}

export function SignUp({ auth, email, onSignedIn }: SignInProps) {
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
    <Form submit="Create account" onSubmit={signUp}>
      <Field label="Your name" name="name" autocomplete="name" required maxLength={100} />
      <Email email={email} />
      <NewPasswordField label="Password" />
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
      hint="At least 8 characters; a sentence is good."
    />
  );
}

export function PasswordReset({ email }: Pick<SignInProps, 'email'>) {
  const send = async (data: FormData) => {
    await hearth.account.sendPasswordReset(textOf(data, 'email').trim());
    return 'If there is an account with this address, a message with a link is on its way.';
  };
  return (
    <>
      <p class="muted">We send you a link with which you choose a new one.</p>
      <Form submit="Send reset link" onSubmit={send}>
        <Email email={email} />
      </Form>
    </>
  );
}
