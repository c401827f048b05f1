import { can } from '@hearth/shared/roles';
import { hearth } from '../backend/hearth.ts';
import { valueOf } from '../backend/source.ts';
import { formatBytes, formatDate } from '../format.ts';
import { nameOf } from '../team/documents.ts';
import { useMembers } from '../team/queries.ts';
import type { Subject } from '../team/subjects.ts';
import { Confirm } from '../ui/confirm.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import type { FileDocument } from './queries.ts';
import { filesTexts } from './texts.ts';
import { Thumbnail } from './thumbnail.tsx';

interface FileListProps {
  files: FileDocument[];
  owner: Subject;
  /** The visitor's uid. */
  uid: string;
}

export function FileList({ files, owner: { team, role }, uid }: FileListProps) {
  const members = valueOf(useMembers(team)) ?? [];
  const names = new Map(members.map((member) => [member.uid, nameOf(member)]));
  return (
    <ul class="rows">
      {files.map((file) => (
        <FileRow
          key={file.id}
          file={file}
          sender={names.get(file.createdBy ?? '')}
          // A member can change the files that they sent to the team.
          mayChange={role === undefined || file.createdBy === uid || can(role, 'upload:delete')}
        />
      ))}
    </ul>
  );
}

interface FileRowProps {
  file: FileDocument;
  /** Name of the sender, for a file of a team. */
  sender: string | undefined;
  mayChange: boolean;
}

function FileRow({ file, sender, mayChange }: FileRowProps) {
  const texts = filesTexts().row;
  const { name, size, url, visibility, createdAt } = file;
  const facts = [
    formatBytes(size),
    formatDate(createdAt),
    ...(sender === undefined ? [] : [texts.by(sender)]),
  ];
  return (
    <li class="row">
      <Thumbnail file={file} />
      <div class="row-text grow">
        {url === null ? (
          <strong class="wrap">{name}</strong>
        ) : (
          <a class="wrap" href={url} target="_blank" rel="noopener">
            {name}
          </a>
        )}
        <span class="muted small wrap">
          {facts.join(' · ')}
          {visibility === 'private' && <span class="badge">{texts.private}</span>}
        </span>
      </div>
      <div class="actions">
        {url !== null && <CopyButton text={url} about={texts.linkOf(name)} />}
        {mayChange && <Changes file={file} />}
      </div>
    </li>
  );
}

function Changes({ file: { id, name, url } }: { file: FileDocument }) {
  const { newLink, delete: deletion } = filesTexts();
  return (
    <>
      {url !== null && (
        <Confirm
          kind="link"
          label={newLink.label}
          about={name}
          title={newLink.title(name)}
          confirm={newLink.confirm}
          onConfirm={async () => {
            await hearth.uploads.revoke(id);
            return newLink.done(name);
          }}
        >
          {newLink.effect}
        </Confirm>
      )}
      <Confirm
        kind="danger-link"
        label={deletion.label}
        about={name}
        title={deletion.title(name)}
        confirm={deletion.confirm}
        onConfirm={async () => {
          await hearth.uploads.delete(id);
          return deletion.done(name);
        }}
      >
        {deletion.effect}
      </Confirm>
    </>
  );
}
