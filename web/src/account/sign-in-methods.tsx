import { EmailAuthProvider, GoogleAuthProvider, linkWithPopup, unlink, type User } from 'firebase/auth';
import { useState } from 'preact/hooks';
import { forgetSignedIn } from '../backend/session.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Message } from '../ui/message.tsx';
import { Address } from './address.tsx';
import { Password } from './password.tsx';

const NAMES: Readonly<Record<string, string>> = {
  [EmailAuthProvider.PROVIDER_ID]: 'E-mail and password',
  [GoogleAuthProvider.PROVIDER_ID]: 'Google',
  phone: 'Phone',
};

/** The ways in which a user can sign in, with buttons that add, change and remove them. */
export function SignInMethods({ user }: { user: User }) {
  // The SDK changes its user in place.
  const [providers, setProviders] = useState(user.providerData);
  const { busy, outcome, run } = useAction();
  const onChanged = () => {
    setProviders(user.providerData);
    forgetSignedIn();
  };
  const connect = async () => {
    await linkWithPopup(user, new GoogleAuthProvider());
    onChanged();
    return 'Google is connected.';
  };
  const disconnect = async () => {
    await unlink(user, GoogleAuthProvider.PROVIDER_ID);
    onChanged();
    return 'Google is disconnected.';
  };
  const hasGoogle = providers.some(({ providerId }) => providerId === GoogleAuthProvider.PROVIDER_ID);
  return (
    <Card title="Sign-in">
      <ul class="rows">
        {providers.map(({ providerId, email, phoneNumber }) => (
          <li class="row" key={providerId}>
            <div class="row-text">
              <span>{NAMES[providerId] ?? providerId}</span>
              <span class="muted small wrap">{email ?? phoneNumber}</span>
            </div>
            {providerId === GoogleAuthProvider.PROVIDER_ID && providers.length > 1 && (
              <Button
                kind="danger-link"
                busy={busy}
                label="Disconnect Google"
                onClick={() => void run(disconnect)}
              >
                Disconnect
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div class="actions">
        {user.email !== null && <Password user={user} onChanged={onChanged} />}
        {user.email !== null && <Address user={user} />}
        {!hasGoogle && (
          <Button busy={busy} onClick={() => void run(connect)}>
            Connect Google
          </Button>
        )}
      </div>
      <Message outcome={outcome} />
    </Card>
  );
}
