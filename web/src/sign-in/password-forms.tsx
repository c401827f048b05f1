import {
  createUserWithEmailAndPassword,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  updateProfile,
  type Auth,
  type User,
} from 'firebase/auth';
import { Field, Form, textOf } from '../ui/form.tsx';

export interface SignInProps {
  auth: Auth;
  onSignedIn: (user: User) => Promise<void>;
}

const Email = () => (
  <Field label="E-mail" name="email" type="email" autocomplete="email" required maxLength={254} />
);

export function SignIn({ auth, onSignedIn }: SignInProps) {
  const signIn = async (data: FormData) => {
    const { user } = await signInWithEmailAndPassword(auth, textOf(data, 'email'), textOf(data, 'password'));
    await onSignedIn(user);
  };
  return (
    <Form submit="Sign in" onSubmit={signIn}>
      <Email />
      <Field label="Password" name="password" type="password" autocomplete="current-password" required />
    </Form>
  );
}

export function SignUp({ auth, onSignedIn }: SignInProps) {
  const signUp = async (data: FormData) => {
    const { user } = await createUserWithEmailAndPassword(
      auth,
      textOf(data, 'email'),
      textOf(data, 'password'),
    );
    // The account exists now: a message that cannot be sent must not keep its owner out, who can ask for another.
    await Promise.allSettled([
      updateProfile(user, { displayName: textOf(data, 'name').trim() }),
      sendEmailVerification(user, { url: location.href }),
    ]);
    await onSignedIn(user);
  };
  return (
    <Form submit="Create account" onSubmit={signUp}>
      <Field label="Your name" name="name" autocomplete="name" required maxLength={100} />
      <Email />
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

export function PasswordReset({ auth }: SignInProps) {
  const send = async (data: FormData) => {
    await requestPasswordReset(auth, textOf(data, 'email'));
    return 'If there is an account with this address, a message with a link is on its way.';
  };
  return (
    <>
      <p class="muted">We send you a link with which you choose a new one.</p>
      <Form submit="Send reset link" onSubmit={send}>
        <Email />
      </Form>
    </>
  );
}

/** Says the same for a known and an unknown address: whether somebody has an account is nobody else's business. */
async function requestPasswordReset(auth: Auth, email: string): Promise<void> {
  try {
    await sendPasswordResetEmail(auth, email, { url: location.href });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'auth/user-not-found')) throw error;
  }
}
