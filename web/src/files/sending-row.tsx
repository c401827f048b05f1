import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/message.tsx';
import type { Sending } from './upload-queue.ts';

interface SendingRowProps {
  sending: Sending;
  /** Pauses or resumes the upload. */
  onToggle: () => void;
  onDismiss: () => void;
}

const WORDS = { waiting: 'Waiting for its turn', paused: 'Paused', checking: 'Being checked' } as const;

/** A file that is being sent: its progress, and buttons that pause and end it. */
export function SendingRow({ sending, onToggle, onDismiss }: SendingRowProps) {
  const { name, owner, sent, status, canPause, problem } = sending;
  return (
    <li class="row">
      <div class="row-text grow">
        <strong class="wrap">{name}</strong>
        {owner.team !== undefined && <span class="muted small wrap">for {owner.name}</span>}
        {problem === undefined ? (
          <progress aria-label={`Uploading ${name}`} value={sent} max={1} />
        ) : (
          <Notice kind="bad">{problem}</Notice>
        )}
        {status !== 'running' && status !== 'failed' && <span class="muted small">{WORDS[status]}</span>}
      </div>
      <div class="actions">
        {canPause && (status === 'running' || status === 'paused') && (
          <Button kind="link" onClick={onToggle}>
            {status === 'paused' ? 'Resume' : 'Pause'}
            <span class="visually-hidden"> {name}</span>
          </Button>
        )}
        {status !== 'checking' && (
          <Button kind="link" onClick={onDismiss}>
            {status === 'failed' ? 'Dismiss' : 'Cancel'}
            <span class="visually-hidden"> {name}</span>
          </Button>
        )}
      </div>
    </li>
  );
}
