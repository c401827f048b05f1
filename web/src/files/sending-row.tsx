import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/message.tsx';
import type { Sending } from './sending.ts';

interface SendingRowProps {
  sending: Sending;
  /** Pauses it, or resumes it. */
  toggle: (id: number) => void;
  dismiss: (id: number) => void;
}

/** A file on its way: how far it is, and what pauses and ends it. */
export function SendingRow({ sending, toggle, dismiss }: SendingRowProps) {
  const { id, name, sent, state, problem } = sending;
  const canToggle = problem === undefined && (state === 'running' || state === 'paused');
  return (
    <li class="row">
      <div class="row-text grow">
        <strong class="wrap">{name}</strong>
        {problem === undefined ? (
          <progress aria-label={`Uploading ${name}`} value={sent} max={1} />
        ) : (
          <Notice kind="bad">{problem}</Notice>
        )}
        {canToggle && state === 'paused' && <span class="muted small">Paused</span>}
      </div>
      <div class="actions">
        {canToggle && (
          <Button
            kind="link"
            onClick={() => {
              toggle(id);
            }}
          >
            {state === 'paused' ? 'Resume' : 'Pause'}
            <span class="visually-hidden"> {name}</span>
          </Button>
        )}
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
