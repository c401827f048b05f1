import { useState } from 'preact/hooks';
import { useKept, type Paged } from '../backend/pages.ts';
import { valueOf } from '../backend/source.ts';
import { formatTime } from '../format.ts';
import { Card } from '../ui/card.tsx';
import { DataTable, SearchField, useSettled } from '../ui/data-table.tsx';
import { Select } from '../ui/form.tsx';
import { uiTexts } from '../ui/texts.ts';
import type { AuditDocument, MemberDocument } from './documents.ts';
import { ACTIVITY_KINDS, useActivityPages, type ActivityKind } from './find-activity.ts';
import { useMemberSearch } from './find-members.ts';
import { usePeople } from './queries.ts';
import { sentenceOf } from './sentences.ts';
import { teamTexts } from './texts.ts';

interface ActivityProps {
  teamId: string;
  uid: string;
}

/** The audit log of a team as a table. */
export function Activity({ teamId, uid }: ActivityProps) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<ActivityKind>('all');
  const searched = useSettled(text);
  const people = useMemberSearch(teamId, searched);
  const actors = searched === '' ? undefined : (valueOf(people) ?? []).map((member) => member.uid);
  const paged = useActivityPages(teamId, { kind, actors });
  const names = useNames(teamId, paged);
  const isNobody = people.state === 'ready' && actors?.length === 0;
  const texts = teamTexts().activity;
  return (
    <Card title={uiTexts().titles.activity}>
      <div class="filters">
        <SearchField hint={texts.hint} value={text} onText={setText} />
        <Select
          label={texts.kind}
          options={ACTIVITY_KINDS.map((option) => [option, texts.kinds[option]])}
          value={kind}
          onSelect={setKind}
        />
      </div>
      <DataTable
        names={texts.names}
        columns={texts.columns}
        paged={isNobody ? NOTHING : paged}
        isSearch={searched !== '' && paged.before === 0 && !paged.hasMore}
        empty={isNobody ? texts.nobody : texts.none}
        row={(entry) => (
          <tr key={entry.id} role="row">
            <td role="cell" class="main wrap">
              {names === undefined ? '…' : sentenceOf(entry, uid, names)}
            </td>
            <td role="cell" class="muted small">
              <time dateTime={entry.at.toISOString()}>{formatTime(entry.at)}</time>
            </td>
          </tr>
        )}
      />
    </Card>
  );
}

/** The result of a search for somebody who is not in the team. */
const NOTHING: Paged<AuditDocument> = {
  items: { state: 'ready', value: [] },
  before: 0,
  hasMore: false,
  isOld: false,
  showPrevious: undefined,
  showNext: undefined,
};

/** The members whom the entries of a page name. Undefined until they are known. */
function useNames(teamId: string, { items }: Paged<AuditDocument>): MemberDocument[] | undefined {
  const entries = valueOf(items) ?? [];
  const ids = entries.flatMap(({ actorId, target }) => [actorId, target]);
  return valueOf(useKept(usePeople(teamId, ids)).items);
}
