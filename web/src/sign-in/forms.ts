import {
  GoogleAuthProvider,
  createUserWithEmailAndPassword,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signInWithPopup,
  updateProfile,
  type Auth,
  type User,
} from 'firebase/auth';
import { button, h, type Child } from '../dom.ts';
import { field, form, messagePlace, outcomeOf, report, textOf } from '../form.ts';

export interface SignInContext {
  auth: Auth;
  onSignedIn: (user: User) => Promise<void>;
}

const EMAIL = { type: 'email', autocomplete: 'email', required: true, maxlength: 254 };

export function showSignIn(main: HTMLElement, context: SignInContext): void {
  const signIn = form({
    fields: [
      field('E-mail', 'email', EMAIL),
      field('Password', 'password', { type: 'password', autocomplete: 'current-password', required: true }),
    ],
    submit: 'Sign in',
    onSubmit: async (data) => {
      const { user } = await signInWithEmailAndPassword(
        context.auth,
        textOf(data, 'email'),
        textOf(data, 'password'),
      );
      await context.onSignedIn(user);
      return undefined;
    },
  });
  show(main, 'Sign in', [
    ...googleButton(context),
    signIn,
    h(
      'div',
      { class: 'actions' },
      switchTo('Create an account', main, context, showSignUp),
      switchTo('Forgot your password?', main, context, showPasswordReset),
    ),
  ]);
}

function showSignUp(main: HTMLElement, context: SignInContext): void {
  const signUp = form({
    fields: [
      field('Your name', 'name', { autocomplete: 'name', required: true, maxlength: 100 }),
      field('E-mail', 'email', EMAIL),
      field(
        'Password',
        'password',
        { type: 'password', autocomplete: 'new-password', required: true, minlength: 8 },
        'At least 8 characters; a sentence is good.',
      ),
    ],
    submit: 'Create account',
    onSubmit: async (data) => {
      const { user } = await createUserWithEmailAndPassword(
        context.auth,
        textOf(data, 'email'),
        textOf(data, 'password'),
      );
      // The account exists now: a message that cannot be sent must not keep its owner out, who can ask for another.
      await Promise.allSettled([
        updateProfile(user, { displayName: textOf(data, 'name').trim() }),
        sendEmailVerification(user, { url: location.href }),
      ]);
      await context.onSignedIn(user);
      return undefined;
    },
  });
  show(main, 'Create an account', [
    ...googleButton(context),
    signUp,
    h('div', { class: 'actions' }, switchTo('I have an account already', main, context, showSignIn)),
  ]);
}

function showPasswordReset(main: HTMLElement, context: SignInContext): void {
  const reset = form({
    fields: [field('E-mail', 'email', EMAIL)],
    submit: 'Send reset link',
    onSubmit: async (data) => {
      await requestPasswordReset(context.auth, textOf(data, 'email'));
      return 'If there is an account with this address, a message with a link is on its way.';
    },
  });
  show(main, 'Reset your password', [
    h('p', { class: 'muted' }, 'We send you a link with which you choose a new one.'),
    reset,
    h('div', { class: 'actions' }, switchTo('Back to sign-in', main, context, showSignIn)),
  ]);
}

/** Says the same for a known and an unknown address: whether somebody has an account is nobody else's business. */
async function requestPasswordReset(auth: Auth, email: string): Promise<void> {
  try {
    await sendPasswordResetEmail(auth, email, { url: location.href });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'auth/user-not-found')) throw error;
  }
}

function googleButton({ auth, onSignedIn }: SignInContext): Child[] {
  const messages = messagePlace();
  const google = button(
    'Continue with Google',
    async () => {
      report(messages, undefined);
      const outcome = await outcomeOf(async () => {
        const { user } = await signInWithPopup(auth, new GoogleAuthProvider());
        await onSignedIn(user);
        return undefined;
      });
      report(messages, outcome);
    },
    { class: 'button wide' },
  );
  return [google, messages, h('p', { class: 'separator' }, 'or with e-mail')];
}

function switchTo(
  label: string,
  main: HTMLElement,
  context: SignInContext,
  view: (main: HTMLElement, context: SignInContext) => void,
): HTMLElement {
  return button(
    label,
    () => {
      view(main, context);
      // The focused button is gone; the heading says where one is now.
      main.querySelector('h1')?.focus();
    },
    { class: 'link-button' },
  );
}

function show(main: HTMLElement, title: string, children: Child[]): void {
  main.replaceChildren(
    h('div', { class: 'card narrow centered' }, h('h1', { tabindex: -1 }, title), ...children),
  );
}
