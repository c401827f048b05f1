import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/message.tsx';
import { filesTexts } from './texts.ts';
import type { Sending } from './upload-queue.ts';

interface SendingRowProps {
  sending: Sending;
  /** Pauses or resumes the upload. */
  onToggle: () => void;
  onDismiss: () => void;
}

/** A file that is being sent: its progress, and buttons that pause and end it. */
export function SendingRow({ sending, onToggle, onDismiss }: SendingRowProps) {
  const texts = filesTexts().sending;
  const { name, owner, sent, status, canPause, problem } = sending;
  return (
    <li class="row">
      <div class="row-text grow">
        <strong class="wrap">{name}</strong>
        {owner.team !== undefined && <span class="muted small wrap">{texts.forTeam(owner.name)}</span>}
        {problem === undefined ? (
          <progress aria-label={texts.uploading(name)} value={sent} max={1} />
        ) : (
          <Notice kind="bad">{problem}</Notice>
        )}
        {status !== 'running' && status !== 'failed' && <span class="muted small">{texts[status]}</span>}
      </div>
      <div class="actions">
        {canPause && (status === 'running' || status === 'paused') && (
          <Button kind="link" onClick={onToggle}>
            {status === 'paused' ? texts.resume : texts.pause}
            <span class="visually-hidden"> {name}</span>
          </Button>
        )}
        {status !== 'checking' && (
          <Button kind="link" onClick={onDismiss}>
            {status === 'failed' ? texts.dismiss : texts.cancel}
            <span class="visually-hidden"> {name}</span>
          </Button>
        )}
      </div>
    </li>
  );
}
