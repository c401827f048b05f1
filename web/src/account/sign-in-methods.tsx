import { EmailAuthProvider, GoogleAuthProvider, linkWithPopup, unlink, type User } from 'firebase/auth';
import { useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { OFFERS_GOOGLE, OFFERS_PASSWORD } from '../backend/settings.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { Message } from '../ui/message.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Address } from './address.tsx';
import { Password } from './password.tsx';
import { hasPassword, signInAgain, SignInAgainField, signInWith } from './sign-in-again.tsx';
import { accountTexts } from './texts.ts';

/** The texts that name the providers of Firebase Auth. */
const NAMES: Readonly<Record<string, 'password' | 'google' | 'phone'>> = {
  [EmailAuthProvider.PROVIDER_ID]: 'password',
  [GoogleAuthProvider.PROVIDER_ID]: 'google',
  phone: 'phone',
};

function nameOf(providerId: string): string {
  const name = NAMES[providerId];
  return name === undefined ? providerId : accountTexts().signIn[name];
}

/** The ways in which a user can sign in, with buttons that add, change and remove them. */
export function SignInMethods({ user }: { user: User }) {
  // The SDK changes its user in place.
  const [providers, setProviders] = useState(user.providerData);
  const { busy, outcome, run } = useAction();
  const texts = accountTexts().signIn;
  const onChanged = () => {
    setProviders(user.providerData);
    forgetSignedIn();
  };
  const connect = async () => {
    await linkWithPopup(user, new GoogleAuthProvider());
    onChanged();
    return texts.googleConnected;
  };
  const hasGoogle = providers.some(({ providerId }) => providerId === GoogleAuthProvider.PROVIDER_ID);
  return (
    <Card title={texts.title}>
      <ul class="rows">
        {providers.map(({ providerId, email, phoneNumber }) => (
          <li class="row" key={providerId}>
            <div class="row-text">
              <span>{nameOf(providerId)}</span>
              <span class="muted small wrap">{email ?? phoneNumber}</span>
            </div>
            {providerId === GoogleAuthProvider.PROVIDER_ID && hasPassword(user) && (
              <DisconnectGoogle user={user} onChanged={onChanged} />
            )}
          </li>
        ))}
      </ul>
      <div class="actions">
        {OFFERS_PASSWORD && user.email !== null && <Password user={user} onChanged={onChanged} />}
        {user.email !== null && <Address user={user} />}
        {OFFERS_GOOGLE && !hasGoogle && (
          <Button busy={busy} onClick={() => void run(connect)}>
            {texts.connectGoogle}
          </Button>
        )}
      </div>
      <Message outcome={outcome} />
    </Card>
  );
}

/**
 * Firebase Auth leaves everybody signed in who signed in with the Google account. So all sign-ins end, and this one
 * begins again with the password. The user can repeat the work if one of these steps fails.
 */
function DisconnectGoogle({ user, onChanged }: { user: User; onChanged: () => void }) {
  const texts = accountTexts().signIn;
  const disconnect = async (data: FormData) => {
    await signInAgain(user, data);
    const { PROVIDER_ID } = GoogleAuthProvider;
    const isConnected = user.providerData.some(({ providerId }) => providerId === PROVIDER_ID);
    if (isConnected) await unlink(user, PROVIDER_ID);
    await hearth.account.endSession({ everywhere: true });
    await signInWith(user, textOf(data, 'current-password'), data);
    showToast(texts.googleDisconnected);
    onChanged();
  };
  return (
    <Dialog kind="danger-link" label={texts.disconnectGoogle} title={texts.disconnectGoogle}>
      {() => (
        <Form kind="danger" submit={texts.disconnect} onSubmit={disconnect}>
          <SignInAgainField user={user} />
        </Form>
      )}
    </Dialog>
  );
}
