import { useId, useRef, useState } from 'preact/hooks';
import type { Subject } from '../team/subjects.ts';
import { Card } from '../ui/card.tsx';
import { Dropzone, problemOf } from './dropzone.tsx';
import { SendingRow } from './sending-row.tsx';
import { filesTexts } from './texts.ts';
import { announcementOf } from './upload-queue.ts';
import { uploads } from './uploads.ts';

/** Takes files for an owner, and shows the progress of each. */
export function UploadCard({ owner }: { owner: Subject }) {
  const texts = filesTexts().upload;
  const { sending } = uploads;
  const input = useRef<HTMLInputElement>(null);
  const [isPrivate, setPrivate] = useState(false);
  const id = useId();
  const dismiss = (id: number) => {
    uploads.dismiss(id);
    // The button that had the focus is gone.
    input.current?.focus();
  };
  return (
    <Card title={texts.title}>
      <Dropzone
        input={input}
        onFiles={(files) => {
          const visibility = isPrivate ? 'private' : undefined;
          for (const file of files ?? []) {
            uploads.add(file, owner, { visibility, problem: problemOf(file.name) });
          }
        }}
      />
      <div class="check">
        <input
          id={id}
          type="checkbox"
          checked={isPrivate}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => {
            setPrivate(currentTarget.checked);
          }}
        />
        <label for={id}>{texts.private}</label>
        <span class="hint" id={`${id}-hint`}>
          {texts.privateHint}
        </span>
      </div>
      <p class="visually-hidden" role="status">
        {announcementOf(sending)}
      </p>
      {sending.length > 0 && (
        <ul class="rows">
          {sending.map((one) => (
            <SendingRow
              key={one.id}
              sending={one}
              onToggle={() => {
                uploads.toggle(one.id);
              }}
              onDismiss={() => {
                dismiss(one.id);
              }}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}
