import type { User } from 'firebase/auth';
import { forgetSignedIn } from '../backend/session.ts';
import { sendVerification } from '../sign-in/send-verification.ts';
import { useVerified } from '../sign-in/use-verified.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';

/** Says that the address is not verified, and goes away by itself when it is. */
export function VerificationNotice({ user, email }: { user: User; email: string }) {
  const { busy, outcome, run } = useAction();
  useVerified(user, forgetSignedIn);
  return (
    <section class="notice stack-small" aria-label="E-mail address not verified">
      <p>
        Your address <strong class="wrap">{email}</strong> is not verified. Open the link in the message that
        we sent there. Then you can invite people, accept invitations and upload files.
      </p>
      <div class="actions">
        <Button busy={busy} onClick={() => void run(sendVerification)}>
          Send the message again
        </Button>
      </div>
      <Message outcome={outcome} />
    </section>
  );
}
