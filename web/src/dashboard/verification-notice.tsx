import { sendEmailVerification, type User } from 'firebase/auth';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';

/** Says that the address is not verified, and sends the verification message once more. */
export function VerificationNotice({ user, email }: { user: User; email: string }) {
  const { busy, outcome, run } = useAction();
  const send = async () => {
    await sendEmailVerification(user, { url: location.href });
    return 'The message is on its way. Open its link, then reload this page.';
  };
  return (
    <section class="notice stack-small" aria-label="E-mail address not verified">
      <p>
        Your address <strong class="wrap">{email}</strong> is not verified. Verify it to see and accept
        invitations and to upload files.
      </p>
      <div class="actions">
        <Button busy={busy} onClick={() => void run(send)}>
          Send verification e-mail
        </Button>
      </div>
      <Message outcome={outcome} />
    </section>
  );
}
