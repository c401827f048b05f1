import type { User } from 'firebase/auth';
import { forgetSignedIn } from '../backend/session.ts';
import { sendVerification } from '../sign-in/send-verification.ts';
import { useVerified } from '../sign-in/use-verified.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { dashboardTexts } from './texts.ts';

/** Says that the address is not verified, and goes away by itself when it is. */
export function VerificationNotice({ user, email }: { user: User; email: string }) {
  const { busy, outcome, run } = useAction();
  useVerified(user, forgetSignedIn);
  const texts = dashboardTexts().verification;
  return (
    <section class="notice stack-small" aria-label={texts.title}>
      <p>{texts.text(<strong class="wrap">{email}</strong>)}</p>
      <div class="actions">
        <Button busy={busy} onClick={() => void run(sendVerification)}>
          {texts.sendAgain}
        </Button>
      </div>
      <Message outcome={outcome} />
    </section>
  );
}
