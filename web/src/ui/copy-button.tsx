import { useAction } from './action.ts';
import { Button } from './button.tsx';

/**
 * Copies a link. It says so on itself, where the person looks.
 *
 * @param about whose link it is, for who does not see where the button stands
 */
export function CopyButton({ text, about }: { text: string; about: string }) {
  const { busy, outcome, run } = useAction();
  return (
    <span class="copy-button" aria-live="polite">
      <Button
        busy={busy}
        onClick={() => {
          void run(async () => {
            await navigator.clipboard.writeText(text);
            return 'Copied';
          });
        }}
      >
        {outcome?.kind === 'good' ? 'Copied' : 'Copy link'}
        <span class="visually-hidden"> {about}</span>
      </Button>
      {outcome?.kind === 'bad' && <span class="small">Copying is not allowed here.</span>}
    </span>
  );
}
