import { GoogleAuthProvider, signInWithPopup, type MultiFactorResolver } from 'firebase/auth';
import { useEffect, useRef, useState } from 'preact/hooks';
import { OFFERS_GOOGLE, OFFERS_PASSWORD } from '../backend/settings.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { GoogleLogo } from '../ui/google-logo.tsx';
import { Consent } from '../ui/legal.tsx';
import { Message, Notice } from '../ui/message.tsx';
import { InvitedBy, type Invited } from './invited.tsx';
import { PasswordReset, SignIn, SignUp, type SignInProps } from './password-forms.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { signInFirst } from './second-factor.ts';
import { signInTexts } from './texts.ts';

/** The forms, with the names of their texts. */
const VIEWS = {
  'sign-in': {
    title: 'signIn',
    Form: SignIn,
    others: [
      ['sign-up', 'signUp'],
      ['reset', 'forgot'],
    ],
  },
  'sign-up': { title: 'signUp', Form: SignUp, others: [['sign-in', 'haveAccount']] },
  reset: { title: 'reset', Form: PasswordReset, others: [['sign-in', 'back']] },
} as const;

type View = keyof typeof VIEWS;

type SignInFormsProps = Omit<SignInProps, 'email' | 'onSecondFactor'> & {
  invited: Invited;
  /** Whether the visitor is here because their session has ended. */
  hasEnded: boolean;
};

/**
 * The forms to sign in, to create an account and to ask for a new password, one at a time. An invited person probably
 * has no account, so creating one comes first for them.
 */
export function SignInForms({ invited, hasEnded, ...rest }: SignInFormsProps) {
  const isInvited = invited.state === 'open';
  const [resolver, setResolver] = useState<MultiFactorResolver>();
  const props = {
    ...rest,
    onSecondFactor: setResolver,
    email: isInvited ? (invited.invitation.email ?? undefined) : undefined,
  };
  const [chosen, setView] = useState<View>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The focused button is gone. The heading names the new form.
    if (chosen !== undefined) heading.current?.focus();
  }, [chosen]);
  if (resolver !== undefined) {
    const onBack = () => {
      setResolver(undefined);
    };
    return <SecondFactorForm resolver={resolver} onSignedIn={rest.onSignedIn} onBack={onBack} />;
  }
  const texts = signInTexts();
  const view = chosen ?? (isInvited && OFFERS_PASSWORD ? 'sign-up' : 'sign-in');
  return (
    <div class="card narrow centered">
      <h1 tabIndex={-1} ref={heading}>
        {texts[VIEWS[view].title]}
      </h1>
      {hasEnded && <Notice>{texts.sessionEnded}</Notice>}
      <InvitedBy invited={invited} />
      {OFFERS_GOOGLE && view !== 'reset' && <Google {...props} />}
      {OFFERS_PASSWORD ? <PasswordForm view={view} onView={setView} {...props} /> : <Consent />}
    </div>
  );
}

/** One of the forms for e-mail and password, with links to the others. */
function PasswordForm({
  view,
  onView,
  ...props
}: SignInProps & { view: View; onView: (view: View) => void }) {
  const texts = signInTexts();
  const { Form, others } = VIEWS[view];
  return (
    <>
      {OFFERS_GOOGLE && view !== 'reset' && <p class="separator">{texts.orEmail}</p>}
      <Form {...props} />
      {view === 'sign-up' && <Consent />}
      <div class="actions">
        {others.map(([other, label]) => (
          <Button
            key={other}
            kind="link"
            onClick={() => {
              onView(other);
            }}
          >
            {texts[label]}
          </Button>
        ))}
      </div>
    </>
  );
}

function Google({ auth, onSignedIn, onSecondFactor }: Omit<SignInProps, 'email'>) {
  const { busy, outcome, run } = useAction();
  const signIn = async () => {
    const first = await signInFirst(auth, () => signInWithPopup(auth, new GoogleAuthProvider()));
    if ('resolver' in first) onSecondFactor(first.resolver);
    else await onSignedIn(first.user);
  };
  return (
    <>
      <Button wide kind="google" busy={busy} onClick={() => void run(signIn)}>
        <GoogleLogo />
        {signInTexts().google}
      </Button>
      <Message outcome={outcome} />
    </>
  );
}
