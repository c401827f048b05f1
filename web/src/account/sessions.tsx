import { everyItem, type OpenSession } from '@hearth/client';
import { useEffect, useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { signOut } from '../backend/session.ts';
import { formatTime } from '../format.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Message } from '../ui/message.tsx';

/** Where one is signed in, and the ways out. */
export function Sessions() {
  const sessions = useSessions();
  const { busy, outcome, run } = useAction();
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
              {session.current && <span class="badge">this one</span>}
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

/** Without an answer there is no list; signing out needs none. */
function useSessions(): OpenSession[] {
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
  return sessions;
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
