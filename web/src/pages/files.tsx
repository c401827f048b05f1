import type { Session } from '@hearth/client';
import type { User } from 'firebase/auth';
import { useState } from 'preact/hooks';
import { useKept } from '../backend/pages.ts';
import type { SignedIn as Person } from '../backend/session.ts';
import { valueOf } from '../backend/source.ts';
import { dashboardTexts } from '../dashboard/texts.ts';
import { arranged, ORDERS, type Order } from '../files/arrange.ts';
import { FileList } from '../files/file-list.tsx';
import { useFiles, type FileDocument } from '../files/queries.ts';
import { StorageMeter } from '../files/storage-meter.tsx';
import { filesTexts } from '../files/texts.ts';
import { UploadCard } from '../files/upload-card.tsx';
import { VerificationNotice } from '../sign-in/verification-notice.tsx';
import { useChoice } from '../team/choice.ts';
import { useTeam } from '../team/queries.ts';
import type { Subject } from '../team/subjects.ts';
import { Button } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { Field, Select } from '../ui/form.tsx';
import { LiveList } from '../ui/live-list.tsx';
import { PageLoading } from '../ui/outlines.tsx';
import { SignedIn } from '../ui/signed-in.tsx';
import { MeterOutline } from '../ui/skeleton.tsx';
import { uiTexts } from '../ui/texts.ts';

export const Page = () => <SignedIn>{(person) => <Files {...person} />}</SignedIn>;

/** The number of files that are shown at first, and the number that each click adds. */
const PAGE = 100;

/** The number of files among which a text is searched. */
const SEARCHED = 1_000;

function Files(person: Person) {
  const choice = useChoice(person);
  if (choice === undefined) return <PageLoading what={filesTexts().list} />;
  return <FilesOf key={choice.chosen.id} owner={choice.chosen} {...person} />;
}

/** The files of the visitor or of a team. */
function FilesOf({ owner, session, user }: Person & { owner: Subject }) {
  const [most, setMost] = useState(PAGE);
  const [text, setText] = useState('');
  const [order, setOrder] = useState<Order>('newest');
  // Another order or a search needs more than the newest files.
  const wanted = text === '' && order === 'newest' ? most : Math.max(most, SEARCHED);
  const { items: files, isOld } = useKept(useFiles(owner.id, wanted));
  // The button keeps the focus until the files that it asked for are there.
  const hasMore = (length: number) => (isOld ? most > PAGE : length === most);
  const team = valueOf(useTeam(owner.team));
  const holder = owner.team === undefined ? session : team;
  const isOwn = owner.team === undefined;
  const { list: what, page: texts } = filesTexts();
  return (
    <div class="stack">
      <h1>{texts.title}</h1>
      {lacksVerification(session, user) && (
        <VerificationNotice
          user={user}
          email={session.user.email ?? ''}
          text={dashboardTexts().verification}
        />
      )}
      <UploadCard owner={owner} />
      <div class="card meters">
        {holder === undefined ? <MeterOutline /> : <StorageMeter ownerId={owner.id} holder={holder} />}
      </div>
      <Card title={isOwn ? texts.own : texts.ofTeam(owner.name)}>
        <LiveList items={files} what={what} empty={isOwn ? texts.noneOwn : texts.noneOfTeam}>
          {(list) => (
            <>
              <Filters text={text} onText={setText} order={order} onOrder={setOrder} />
              <Found
                files={arranged(list, text, order)}
                owner={owner}
                uid={session.user.uid}
                isAll={list.length < wanted}
                isOld={isOld}
              />
              {wanted === most && hasMore(list.length) && (
                <Button
                  isOff={isOld}
                  onClick={() => {
                    setMost(most + PAGE);
                  }}
                >
                  {texts.showMore}
                </Button>
              )}
            </>
          )}
        </LiveList>
      </Card>
    </div>
  );
}

interface FiltersProps {
  text: string;
  onText: (text: string) => void;
  order: Order;
  onOrder: (order: Order) => void;
}

function Filters({ text, onText, order, onOrder }: FiltersProps) {
  const texts = filesTexts().order;
  return (
    <div class="filters">
      <Field
        label={uiTexts().search}
        name="search"
        type="search"
        value={text}
        onInput={({ currentTarget }) => {
          onText(currentTarget.value);
        }}
      />
      <Select
        label={texts.label}
        options={ORDERS.map((one) => [one, texts[one]] as const)}
        value={order}
        onSelect={onOrder}
      />
    </div>
  );
}

interface FoundProps {
  files: FileDocument[];
  owner: Subject;
  uid: string;
  /** False if there are more files than were searched. */
  isAll: boolean;
  /** Whether more files are loading, among which one may be found. */
  isOld: boolean;
}

function Found({ files, owner, uid, isAll, isOld }: FoundProps) {
  if (files.length > 0) return <FileList files={files} owner={owner} uid={uid} />;
  if (isOld) return null;
  const texts = filesTexts().page;
  return <Empty>{isAll ? texts.notFound : texts.notFoundAmong(SEARCHED)}</Empty>;
}

/** Whether the backend refuses uploads of this account, unless its settings allow them. */
function lacksVerification({ user: { email, emailVerified } }: Session, { phoneNumber }: User): boolean {
  return email !== null && !emailVerified && phoneNumber === null;
}
