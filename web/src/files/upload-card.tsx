import { useId, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/message.tsx';
import { ACCEPTED_FILES } from './file-kinds.ts';
import { useUploads, type Sending } from './sending.ts';

/** Takes files that are dropped or chosen, and shows how each of them goes. */
export function UploadCard() {
  const { sending, add, dismiss } = useUploads();
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
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
          add([...(event.dataTransfer?.files ?? [])]);
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
            add([...(currentTarget.files ?? [])]);
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
              <SendingRow key={one.id} sending={one} dismiss={dismiss} />
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

function SendingRow({ sending, dismiss }: { sending: Sending; dismiss: (id: number) => void }) {
  const { id, name, sent, problem } = sending;
  return (
    <li class="row">
      <div class="row-text grow">
        <strong class="wrap">{name}</strong>
        {problem === undefined ? (
          <progress aria-label={`Uploading ${name}`} value={sent} max={1} />
        ) : (
          <Notice kind="bad">{problem}</Notice>
        )}
      </div>
      <div class="actions">
        <Button
          kind="link"
          onClick={() => {
            dismiss(id);
          }}
        >
          {problem === undefined ? 'Cancel' : 'Dismiss'}
          <span class="visually-hidden"> {name}</span>
        </Button>
      </div>
    </li>
  );
}
