import { BRAND } from '@hearth/shared/brand';
import { multiFactor, TotpMultiFactorGenerator, type TotpSecret, type User } from 'firebase/auth';
import { useRef, useState } from 'preact/hooks';
import { HAS_SECOND_FACTOR } from '../backend/settings.ts';
import { CodeField, codeOf } from '../sign-in/code-field.tsx';
import { authenticatorsOf } from '../sign-in/second-factor.ts';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { showToast } from '../ui/toasts.tsx';
import { QrCode, type Modules } from './qr-code.tsx';
import { renewSession, signInAgain, SignInAgainField } from './sign-in-again.tsx';

interface StepProps {
  user: User;
  onChanged: () => void;
}

/** Turns the code of an authenticator app at each sign-in on and off, where the project has it. */
export function SecondFactor({ user }: { user: User }) {
  // The SDK changes its user in place.
  const [isOn, setOn] = useState(authenticatorsOf(user).length > 0);
  if (!isOn && !HAS_SECOND_FACTOR) return null;
  const onChanged = () => {
    setOn(authenticatorsOf(user).length > 0);
  };
  return (
    <Card title="Second factor">
      <p class="muted">
        {isOn
          ? 'Each sign-in asks for a code of your authenticator app.'
          : 'Protect your account with a code of an authenticator app at each sign-in.'}
      </p>
      {!isOn && !user.emailVerified && <p>Verify your e-mail address first.</p>}
      <div class="actions">
        {isOn && <TurnOff user={user} onChanged={onChanged} />}
        {!isOn && user.emailVerified && <TurnOn user={user} onChanged={onChanged} />}
      </div>
    </Card>
  );
}

function TurnOff({ user, onChanged }: StepProps) {
  return (
    <Dialog kind="danger" label="Turn off" title="Turn off the second factor?">
      {(close) => (
        <Form
          kind="danger"
          submit="Turn off the second factor"
          onSubmit={async (data) => {
            await signInAgain(user, data);
            for (const factor of authenticatorsOf(user)) await multiFactor(user).unenroll(factor);
            await renewSession(user);
            close();
            showToast('The second factor is off.');
            onChanged();
          }}
        >
          <SignInAgainField user={user} />
        </Form>
      )}
    </Dialog>
  );
}

/** A secret for an authenticator app, and the QR code with it. */
interface Offer {
  secret: TotpSecret;
  modules: Modules;
}

function TurnOn(props: StepProps) {
  return (
    <Dialog label="Turn on" title="Turn on the second factor">
      {(close) => <TurnOnSteps {...props} close={close} />}
    </Dialog>
  );
}

function TurnOnSteps({ user, onChanged, close }: StepProps & { close: () => void }) {
  const [offer, setOffer] = useState<Offer>();
  const instruction = useRef<HTMLParagraphElement>(null);
  const begin = async (data: FormData) => {
    await signInAgain(user, data);
    const secret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
    const { encode } = await import('uqr');
    const { data: modules } = encode(secret.generateQrCodeUrl(user.email ?? user.uid, BRAND.name));
    // The field or the button that has the focus goes, and the dialog would close with it.
    instruction.current?.focus();
    setOffer({ secret, modules });
  };
  return (
    <>
      <p tabIndex={-1} ref={instruction}>
        {offer === undefined
          ? 'You need an app on your phone that shows codes.'
          : 'Scan this with your authenticator app, or enter the key there.'}
      </p>
      {offer === undefined ? (
        <Form submit="Continue" onSubmit={begin}>
          <SignInAgainField user={user} />
        </Form>
      ) : (
        <Enrollment
          offer={offer}
          enroll={async (code) => {
            const assertion = TotpMultiFactorGenerator.assertionForEnrollment(offer.secret, code);
            await multiFactor(user).enroll(assertion, 'Authenticator app');
            // Firebase Auth ends all sessions when a factor is added. This one begins again.
            await renewSession(user);
            close();
            showToast('The second factor is on.');
            onChanged();
          }}
        />
      )}
    </>
  );
}

function Enrollment({ offer, enroll }: { offer: Offer; enroll: (code: string) => Promise<void> }) {
  return (
    <>
      <QrCode modules={offer.modules} />
      <p>
        Key: <code class="wrap">{offer.secret.secretKey}</code>
      </p>
      <Form submit="Turn on the second factor" onSubmit={(data) => enroll(codeOf(data))}>
        <CodeField />
      </Form>
    </>
  );
}
