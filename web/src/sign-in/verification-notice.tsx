import type { User } from 'firebase/auth';
import type { ComponentChildren } from 'preact';
import { forgetSignedIn } from '../backend/session.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { sendVerification } from './send-verification.ts';
import { signInTexts } from './texts.ts';
import { useVerified } from './use-verified.ts';

interface VerificationNoticeProps {
  user: User;
  email: string;
  /** The sentence that names the address, and what the user cannot do before it is verified. */
  text: (email: ComponentChildren) => ComponentChildren;
}

/** Says that the address is not verified, and goes away by itself when it is. */
export function VerificationNotice({ user, email, text }: VerificationNoticeProps) {
  const { busy, outcome, run } = useAction();
  useVerified(user, forgetSignedIn);
  const texts = signInTexts().verification;
  return (
    <section class="notice stack-small" aria-label={texts.missing}>
      <p>{text(<strong class="wrap">{email}</strong>)}</p>
      <div class="actions">
        <Button busy={busy} onClick={() => void run(sendVerification)}>
          {texts.again}
        </Button>
      </div>
      <Message outcome={outcome} />
    </section>
  );
}
