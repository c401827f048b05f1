import { formatTime } from '../format.ts';
import { Card } from '../ui/card.tsx';
import { LiveList } from '../ui/live-list.tsx';
import type { MemberDocument } from './documents.ts';
import { useAuditLog } from './queries.ts';
import { sentenceOf } from './sentences.ts';

/** The latest entries of a team's audit log. */
export function Activity({
  teamId,
  uid,
  members,
}: {
  teamId: string;
  uid: string;
  members: MemberDocument[];
}) {
  const entries = useAuditLog(teamId, true);
  return (
    <Card title="Activity">
      <LiveList items={entries} what="activity" empty="Nothing has happened yet.">
        {(list) => (
          <ol class="timeline">
            {list.map((entry) => (
              <li key={entry.id}>
                <span class="wrap">{sentenceOf(entry, uid, members)}</span>
                <time class="muted small" dateTime={entry.at.toISOString()}>
                  {formatTime(entry.at)}
                </time>
              </li>
            ))}
          </ol>
        )}
      </LiveList>
    </Card>
  );
}
