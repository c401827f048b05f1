import { FileList } from '../files/file-list.tsx';
import { useFiles } from '../files/queries.ts';
import { UploadCard } from '../files/upload-card.tsx';
import { Card } from '../ui/card.tsx';
import { LiveList } from '../ui/live-list.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

export const Page = () => <SignedIn>{({ user }) => <Files uid={user.uid} />}</SignedIn>;

function Files({ uid }: { uid: string }) {
  const files = useFiles(uid);
  return (
    <div class="stack">
      <h1>Files</h1>
      <UploadCard />
      <Card title="Your files">
        <LiveList items={files} what="files" empty="You have no files yet. Drop one above.">
          {(list) => <FileList files={list} />}
        </LiveList>
      </Card>
    </div>
  );
}
