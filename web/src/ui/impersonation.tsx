import { hearth, useSession } from '../backend/hearth.ts';
import { markSession } from '../backend/marker.ts';
import { formatTime } from '../format.ts';
import { useAction } from './action.ts';
import { Button } from './button.tsx';
import { Message } from './message.tsx';

/** On every page while an operator sees the service as another user. */
export function ImpersonationBanner() {
  const session = useSession();
  const { busy, outcome, run } = useAction();
  if (session?.impersonation === undefined) return null;
  const { user, impersonation } = session;
  const stop = async () => {
    await hearth.account.endSession();
    markSession(false);
    const { startFirebase } = await import('../backend/firebase.ts');
    await (await startFirebase()).auth.signOut();
    location.assign('/auth/sign-in');
  };
  return (
    <aside class="notice-bar strong" aria-label="Impersonation">
      <div class="container">
        <span class="wrap">
          You see Hearth as {user.email ?? user.uid} until {formatTime(new Date(impersonation.endsAt))}. You
          cannot pay, delete or invite.
        </span>
        <Button busy={busy} onClick={() => void run(stop)}>
          Stop
        </Button>
        <Message outcome={outcome} />
      </div>
    </aside>
  );
}
