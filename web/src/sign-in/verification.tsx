import type { User } from 'firebase/auth';
import { signOut } from '../backend/session.ts';
import { pathToReopen } from '../callback.ts';
import { UserFacingError } from '../errors.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { sendVerification } from './send-verification.ts';
import { signInTexts } from './texts.ts';
import { isVerifiedNow, useVerified } from './use-verified.ts';

/** Waits until the address of a user is verified, and then goes on by itself. */
export function Verification({ user, onVerified }: { user: User; onVerified: () => void }) {
  const texts = signInTexts().verification;
  const { busy, outcome, run } = useAction();
  useVerified(user, onVerified);
  const proceed = async () => {
    if (!(await isVerifiedNow(user))) {
      throw new UserFacingError(texts.notYet);
    }
    onVerified();
  };
  // The page opens again, because its URL has the link of the invitation.
  const useAnother = () => signOut({ everywhere: false, to: pathToReopen(location) });
  return (
    <div class="card narrow centered">
      <h1>{texts.title}</h1>
      <p>{texts.lead(<strong class="wrap">{user.email}</strong>)}</p>
      <Button kind="primary" busy={busy} onClick={() => void run(proceed)}>
        {texts.proceed}
      </Button>
      <Button busy={busy} onClick={() => void run(sendVerification)}>
        {texts.again}
      </Button>
      <Message outcome={outcome} />
      <div class="actions">
        <Button kind="link" busy={busy} onClick={() => void run(useAnother)}>
          {texts.otherAccount}
        </Button>
      </div>
    </div>
  );
}
