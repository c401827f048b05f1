import { BRAND } from '@hearth/shared/brand';
import { multiFactor, TotpMultiFactorGenerator, type TotpSecret, type User } from 'firebase/auth';
import { useRef, useState } from 'preact/hooks';
import { loadPart } from '../backend/load-part.ts';
import { HAS_SECOND_FACTOR } from '../backend/settings.ts';
import { CodeField, codeOf } from '../sign-in/code-field.tsx';
import { authenticatorsOf } from '../sign-in/second-factor.ts';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { showToast } from '../ui/toasts.tsx';
import { QrCode, type Modules } from './qr-code.tsx';
import { renewSession, signInAgain, SignInAgainField } from './sign-in-again.tsx';
import { accountTexts } from './texts.ts';

interface StepProps {
  user: User;
  onChanged: () => void;
}

/** Turns the code of an authenticator app at each sign-in on and off, where the project has it. */
export function SecondFactor({ user }: { user: User }) {
  // The SDK changes its user in place.
  const [isOn, setOn] = useState(authenticatorsOf(user).length > 0);
  if (!isOn && !HAS_SECOND_FACTOR) return null;
  const texts = accountTexts().secondFactor;
  const onChanged = () => {
    setOn(authenticatorsOf(user).length > 0);
  };
  return (
    <Card title={texts.title}>
      <p class="muted">{isOn ? texts.isOn : texts.isOff}</p>
      {!isOn && !user.emailVerified && <p>{texts.verifyFirst}</p>}
      <div class="actions">
        {isOn && <TurnOff user={user} onChanged={onChanged} />}
        {!isOn && user.emailVerified && <TurnOn user={user} onChanged={onChanged} />}
      </div>
    </Card>
  );
}

function TurnOff({ user, onChanged }: StepProps) {
  const texts = accountTexts().secondFactor;
  return (
    <Dialog kind="danger" label={texts.turnOff} title={texts.turnOffTitle}>
      {(close) => (
        <Form
          kind="danger"
          submit={texts.confirmTurnOff}
          onSubmit={async (data) => {
            await signInAgain(user, data);
            for (const factor of authenticatorsOf(user)) await multiFactor(user).unenroll(factor);
            await renewSession(user);
            close();
            showToast(texts.turnedOff);
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
  const texts = accountTexts().secondFactor;
  return (
    <Dialog label={texts.turnOn} title={texts.turnOnTitle}>
      {(close) => <TurnOnSteps {...props} close={close} />}
    </Dialog>
  );
}

function TurnOnSteps({ user, onChanged, close }: StepProps & { close: () => void }) {
  const [offer, setOffer] = useState<Offer>();
  const instruction = useRef<HTMLParagraphElement>(null);
  const texts = accountTexts().secondFactor;
  const begin = async (data: FormData) => {
    await signInAgain(user, data);
    const secret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
    const { encode } = await loadPart(() => import('uqr'));
    const { data: modules } = encode(secret.generateQrCodeUrl(user.email ?? user.uid, BRAND.name));
    // The focused element disappears here, which would close the dialog.
    instruction.current?.focus();
    setOffer({ secret, modules });
  };
  return (
    <>
      <p tabIndex={-1} ref={instruction}>
        {offer === undefined ? texts.needApp : texts.scan}
      </p>
      {offer === undefined ? (
        <Form submit={texts.continue} onSubmit={begin}>
          <SignInAgainField user={user} />
        </Form>
      ) : (
        <Enrollment
          offer={offer}
          enroll={async (code) => {
            const assertion = TotpMultiFactorGenerator.assertionForEnrollment(offer.secret, code);
            await multiFactor(user).enroll(assertion, texts.app);
            // Firebase Auth ends all sessions when a factor is added. This one begins again.
            await renewSession(user);
            close();
            showToast(texts.turnedOn);
            onChanged();
          }}
        />
      )}
    </>
  );
}

function Enrollment({ offer, enroll }: { offer: Offer; enroll: (code: string) => Promise<void> }) {
  const texts = accountTexts().secondFactor;
  return (
    <>
      <QrCode modules={offer.modules} />
      <p>
        {texts.key} <code class="wrap">{offer.secret.secretKey}</code>
      </p>
      <Form submit={texts.confirmTurnOn} onSubmit={(data) => enroll(codeOf(data))}>
        <CodeField />
      </Form>
    </>
  );
}
