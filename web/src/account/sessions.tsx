import { everyItem, HearthError, type OpenSession } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { signOut } from '../backend/session.ts';
import { refresh, useRequest, valueOf } from '../backend/source.ts';
import { formatTime } from '../format.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Message } from '../ui/message.tsx';
import { RowsOutline, Skeleton } from '../ui/skeleton.tsx';
import { accountTexts } from './texts.ts';

/** The sessions of the user, with buttons that end one or all of them. */
export function Sessions() {
  // The list stays empty if it cannot be loaded; signing out does not need it.
  const loaded = useRequest(KEY, loadSessions);
  const sessions = valueOf(loaded) ?? [];
  const { busy, outcome, run } = useAction();
  const texts = accountTexts().sessions;
  const end = async (session: OpenSession) => {
    await hearth.account.endOneSession(session.id).catch(ignoreEnded);
    refresh(KEY);
    return texts.ended(deviceOf(session));
  };
  return (
    <Card title={texts.title}>
      {loaded.state === 'loading' && (
        <Skeleton what={texts.sessions}>
          <RowsOutline rows={1} />
        </Skeleton>
      )}
      {sessions.length > 0 && (
        <ul class="rows">
          {sessions.map((session) => (
            <li class="row" key={session.id}>
              <div class="row-text">
                <span class="wrap">{deviceOf(session)}</span>
                <span class="muted small">{texts.since(formatTime(new Date(session.signedInAt)))}</span>
              </div>
              {session.current ? (
                <span class="badge">{texts.thisOne}</span>
              ) : (
                <Button
                  kind="link"
                  busy={busy}
                  label={texts.endOf(deviceOf(session), formatTime(new Date(session.signedInAt)))}
                  onClick={() => void run(() => end(session))}
                >
                  {texts.end}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        <Button busy={busy} onClick={() => void run(() => signOut({ everywhere: false }))}>
          {texts.signOut}
        </Button>
        <Button kind="link" busy={busy} onClick={() => void run(() => signOut({ everywhere: true }))}>
          {texts.signOutEverywhere}
        </Button>
      </div>
      <Message outcome={outcome} />
    </Card>
  );
}

/** The session has ended in the meantime, as the user wanted. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof HearthError) || error.code !== 'session_not_found') throw error;
}

const KEY = 'sessions';

async function loadSessions(signal: AbortSignal): Promise<OpenSession[]> {
  const found: OpenSession[] = [];
  for await (const session of everyItem((options) => hearth.account.sessions(options), { signal })) {
    found.push(session);
  }
  return found;
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

function deviceOf({ userAgent }: OpenSession): string {
  return BROWSERS.find(([sign]) => sign.test(userAgent ?? ''))?.[1] ?? accountTexts().sessions.anotherProgram;
}
