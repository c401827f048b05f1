import { sendEmailVerification, type User } from 'firebase/auth';
import { signOut } from '../backend/session.ts';
import { UserFacingError } from '../errors.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';

/** Holds a person back until their e-mail address is verified. */
export function Verification({ user, onVerified }: { user: User; onVerified: () => void }) {
  const { busy, outcome, run } = useAction();
  const proceed = async () => {
    if (!(await isVerifiedNow(user))) {
      throw new UserFacingError('Your address is not verified yet. Open the link in the message first.');
    }
    onVerified();
  };
  const resend = async () => {
    await sendEmailVerification(user, { url: location.href });
    return 'The message is on its way.';
  };
  return (
    <div class="card narrow centered">
      <h1>Verify your address</h1>
      <p>
        An invitation is for the owner of its address. Open the link in the message to{' '}
        <strong class="wrap">{user.email}</strong>, then come back here.
      </p>
      <Button kind="primary" busy={busy} onClick={() => void run(proceed)}>
        I have verified, continue
      </Button>
      <Button busy={busy} onClick={() => void run(resend)}>
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

/** The backend looks the account up at each request, so its session needs no renewal; the SDK's token carries the claim. */
async function isVerifiedNow(user: User): Promise<boolean> {
  await user.reload();
  if (user.emailVerified) await user.getIdToken(true);
  return user.emailVerified;
}
