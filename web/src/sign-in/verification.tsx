import type { User } from 'firebase/auth';
import { signOut } from '../backend/session.ts';
import { UserFacingError } from '../errors.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { sendVerification } from './send-verification.ts';
import { isVerifiedNow, useVerified } from './use-verified.ts';

/** Waits until the address of a user is verified, and then goes on by itself. */
export function Verification({ user, onVerified }: { user: User; onVerified: () => void }) {
  const { busy, outcome, run } = useAction();
  useVerified(user, onVerified);
  const proceed = async () => {
    if (!(await isVerifiedNow(user))) {
      throw new UserFacingError('Your address is not verified yet. Open the link in the message first.');
    }
    onVerified();
  };
  return (
    <div class="card narrow centered">
      <h1>Verify your address</h1>
      <p>
        An invitation is for the owner of its address. We sent a message to{' '}
        <strong class="wrap">{user.email}</strong>. Open its link, and this page goes on.
      </p>
      <Button kind="primary" busy={busy} onClick={() => void run(proceed)}>
        I have verified, continue
      </Button>
      <Button busy={busy} onClick={() => void run(sendVerification)}>
        Send the message again
      </Button>
      <Message outcome={outcome} />
      <div class="actions">
        <Button kind="link" busy={busy} onClick={() => void run(() => signOut({ everywhere: false }))}>
          Use another account
        </Button>
      </div>
    </div>
  );
}
