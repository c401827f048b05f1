import { useRef } from 'preact/hooks';
import type { Subject } from '../team/subjects.ts';
import { Card } from '../ui/card.tsx';
import { Dropzone } from './dropzone.tsx';
import { SendingRow } from './sending-row.tsx';
import { announcementOf } from './upload-queue.ts';
import { uploads } from './uploads.ts';

/** Takes files for an owner, and shows the progress of each. */
export function UploadCard({ owner }: { owner: Subject }) {
  const { sending } = uploads;
  const input = useRef<HTMLInputElement>(null);
  const dismiss = (id: number) => {
    uploads.dismiss(id);
    // The button that had the focus is gone.
    input.current?.focus();
  };
  return (
    <Card title="Upload">
      <Dropzone
        input={input}
        onFiles={(files) => {
          for (const file of files ?? []) uploads.add(file, owner);
        }}
      />
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
