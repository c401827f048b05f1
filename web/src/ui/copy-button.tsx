import { useAction } from './action.ts';
import { Button } from './button.tsx';
import { uiTexts } from './texts.ts';

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
            return uiTexts().copied;
          });
        }}
      >
        {outcome?.kind === 'good' ? uiTexts().copied : uiTexts().copyLink}
        <span class="visually-hidden"> {about}</span>
      </Button>
      {outcome?.kind === 'bad' && <span class="small">{uiTexts().cannotCopy}</span>}
    </span>
  );
}
