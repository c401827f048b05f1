import { useId, useRef, useState } from 'preact/hooks';
import { Card } from '../ui/card.tsx';
import { ACCEPTED_FILES } from './file-kinds.ts';
import { useUploads } from './sending.ts';
import { SendingRow } from './sending-row.tsx';

/** Takes files that are dropped or chosen, and shows how each of them goes. */
export function UploadCard() {
  const { sending, start, toggle, dismiss } = useUploads();
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const end = (sendingId: number) => {
    dismiss(sendingId);
    // The button that had the focus is gone.
    input.current?.focus();
  };
  return (
    <Card title="Upload">
      <div
        class={`dropzone${isOver ? ' over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => {
          setOver(false);
        }}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          [...(event.dataTransfer?.files ?? [])].forEach(start);
        }}
      >
        <label for={id}>Drop files here, or choose them</label>
        <input
          ref={input}
          id={id}
          type="file"
          multiple
          accept={ACCEPTED_FILES}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => {
            [...(currentTarget.files ?? [])].forEach(start);
            currentTarget.value = '';
          }}
        />
        <p class="hint" id={`${id}-hint`}>
          Images, PDF, Word or plain text. Whoever has the link can open the file.
        </p>
      </div>
      <div class="form-message" aria-live="polite">
        {sending.length > 0 && (
          <ul class="rows">
            {sending.map((one) => (
              <SendingRow key={one.id} sending={one} toggle={toggle} dismiss={end} />
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
