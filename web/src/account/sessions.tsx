import { everyItem, HearthError, type OpenSession } from '@hearth/client';
import { useEffect, useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { signOut } from '../backend/session.ts';
import { formatTime } from '../format.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Message } from '../ui/message.tsx';

/** The sessions of the user, with buttons that end one or all of them. */
export function Sessions() {
  const { sessions, remove } = useSessions();
  const { busy, outcome, run } = useAction();
  const end = async (session: OpenSession) => {
    await hearth.account.endOneSession(session.id).catch(ignoreEnded);
    remove(session.id);
    return `Signed out of ${deviceOf(session)}.`;
  };
  return (
    <Card title="Sessions">
      {sessions.length > 0 && (
        <ul class="rows">
          {sessions.map((session) => (
            <li class="row" key={session.id}>
              <div class="row-text">
                <span class="wrap">{deviceOf(session)}</span>
                <span class="muted small">since {formatTime(new Date(session.signedInAt))}</span>
              </div>
              {session.current ? (
                <span class="badge">this one</span>
              ) : (
                <Button
                  kind="link"
                  busy={busy}
                  label={`End the session in ${deviceOf(session)} since ${formatTime(new Date(session.signedInAt))}`}
                  onClick={() => void run(() => end(session))}
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        <Button busy={busy} onClick={() => void run(() => signOut({ everywhere: false }))}>
          Sign out
        </Button>
        <Button kind="link" busy={busy} onClick={() => void run(() => signOut({ everywhere: true }))}>
          Sign out everywhere
        </Button>
      </div>
      <Message outcome={outcome} />
    </Card>
  );
}

/** The session ended in the meantime, which is what was asked for. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof HearthError) || error.code !== 'session_not_found') throw error;
}

/** The list stays empty if it cannot be loaded; signing out does not need it. */
function useSessions(): { sessions: OpenSession[]; remove: (id: string) => void } {
  const [sessions, setSessions] = useState<OpenSession[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      const found: OpenSession[] = [];
      const all = everyItem((options) => hearth.account.sessions(options), { signal: controller.signal });
      for await (const session of all) found.push(session);
      setSessions(found);
    };
    load().catch(() => undefined);
    return () => {
      controller.abort();
    };
  }, []);
  const remove = (id: string) => {
    setSessions((listed) => listed.filter((session) => session.id !== id));
  };
  return { sessions, remove };
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

function deviceOf({ userAgent }: OpenSession): string {
  return BROWSERS.find(([sign]) => userAgent?.includes(sign))?.[1] ?? 'Another program';
}
