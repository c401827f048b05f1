import { BRAND } from '@hearth/shared/brand';
import { hearth, useSession } from '../backend/hearth.ts';
import { loadPart } from '../backend/load-part.ts';
import { markSession } from '../backend/marker.ts';
import { formatTime } from '../format.ts';
import { useAction } from './action.ts';
import { Button } from './button.tsx';
import { Message } from './message.tsx';
import { uiTexts } from './texts.ts';

/** On every page while an operator sees the service as another user. */
export function ImpersonationBanner() {
  const session = useSession();
  const { busy, outcome, run } = useAction();
  if (session?.impersonation === undefined) return null;
  const { user, impersonation } = session;
  const texts = uiTexts();
  const stop = async () => {
    await hearth.account.endSession();
    markSession(false);
    const { startFirebase } = await loadPart(() => import('../backend/firebase.ts'));
    await (await startFirebase()).auth.signOut();
    location.assign('/auth/sign-in');
  };
  return (
    <aside class="notice-bar strong" aria-label={texts.impersonation}>
      <div class="container">
        <span class="wrap">
          {texts.seenAs(BRAND.name, user.email ?? user.uid, formatTime(new Date(impersonation.endsAt)))}
        </span>
        <Button busy={busy} onClick={() => void run(stop)}>
          {texts.stop}
        </Button>
        <Message outcome={outcome} />
      </div>
    </aside>
  );
}
