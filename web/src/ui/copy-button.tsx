import { useAction } from './action.ts';
import { Button } from './button.tsx';

/**
 * Copies a link. The button itself shows the result.
 *
 * @param about names the owner of the link, for screen readers
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
