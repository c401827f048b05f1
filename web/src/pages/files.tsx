import type { Session } from '@hearth/client';
import type { User } from 'firebase/auth';
import { useState } from 'preact/hooks';
import type { SignedIn as Person } from '../backend/session.ts';
import { VerificationNotice } from '../dashboard/verification-notice.tsx';
import { FileList } from '../files/file-list.tsx';
import { useFiles } from '../files/queries.ts';
import { UploadCard } from '../files/upload-card.tsx';
import { useChoice } from '../team/choice.ts';
import type { Subject } from '../team/subjects.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { LiveList } from '../ui/live-list.tsx';
import { Loading } from '../ui/message.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

export const Page = () => <SignedIn>{(person) => <Files {...person} />}</SignedIn>;

/** The number of files that are shown at first, and the number that each click adds. */
const PAGE = 100;

function Files(person: Person) {
  const choice = useChoice(person);
  if (choice === undefined) return <Loading what="files" />;
  return <FilesOf key={choice.chosen.id} owner={choice.chosen} {...person} />;
}

/** The files of the visitor or of a team. */
function FilesOf({ owner, session, user }: Person & { owner: Subject }) {
  const [most, setMost] = useState(PAGE);
  const files = useFiles(owner.id, most);
  const isOwn = owner.team === undefined;
  return (
    <div class="stack">
      <h1>Files</h1>
      {lacksVerification(session, user) && (
        <VerificationNotice user={user} email={session.user.email ?? ''} />
      )}
      <UploadCard owner={owner} />
      <Card title={isOwn ? 'Your files' : `Files of ${owner.name}`}>
        <LiveList
          items={files}
          what="files"
          empty={`${isOwn ? 'You have' : 'The team has'} no files yet. Drop one above.`}
        >
          {(list) => (
            <>
              <FileList files={list} owner={owner} uid={session.user.uid} />
              {list.length === most && (
                <Button
                  onClick={() => {
                    setMost(most + PAGE);
                  }}
                >
                  Show more
                </Button>
              )}
            </>
          )}
        </LiveList>
      </Card>
    </div>
  );
}

/** Whether the backend refuses uploads of this account, unless its settings allow them. */
function lacksVerification({ user: { email, emailVerified } }: Session, { phoneNumber }: User): boolean {
  return email !== null && !emailVerified && phoneNumber === null;
}
