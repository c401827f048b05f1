import { can } from '@hearth/shared/roles';
import { hearth } from '../backend/hearth.ts';
import { formatBytes, formatDate } from '../format.ts';
import type { Subject } from '../team/subjects.ts';
import { Confirm } from '../ui/confirm.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import type { FileDocument } from './queries.ts';

interface FileListProps {
  files: FileDocument[];
  owner: Subject;
  /** The visitor's uid. */
  uid: string;
}

export function FileList({ files, owner: { role }, uid }: FileListProps) {
  return (
    <ul class="rows">
      {files.map((file) => (
        <FileRow
          key={file.id}
          file={file}
          // A member can delete the files that they sent to the team.
          mayDelete={role === undefined || file.createdBy === uid || can(role, 'upload:delete')}
        />
      ))}
    </ul>
  );
}

function FileRow({ file, mayDelete }: { file: FileDocument; mayDelete: boolean }) {
  const { id, name, size, url, createdAt } = file;
  return (
    <li class="row">
      <div class="row-text">
        {url === null ? (
          <strong class="wrap">{name}</strong>
        ) : (
          <a class="wrap" href={url} target="_blank" rel="noopener">
            {name}
          </a>
        )}
        <span class="muted small">
          {formatBytes(size)} · {formatDate(createdAt)}
        </span>
      </div>
      <div class="actions">
        {url !== null && <CopyButton text={url} about={`of ${name}`} />}
        {mayDelete && (
          <Confirm
            kind="danger-link"
            label="Delete"
            title={`Delete ${name}?`}
            confirm="Delete the file"
            onConfirm={async () => {
              await hearth.uploads.delete(id);
              return `${name} is deleted.`;
            }}
          >
            Its link ends at once for everybody who has it.
          </Confirm>
        )}
      </div>
    </li>
  );
}
