import { signal } from '@preact/signals';
import { Button } from './button.tsx';
import { uiTexts } from './texts.ts';

/** A message stays for this time, unless it is dismissed. */
const SHOWN_MS = 8_000;

interface Toast {
  id: number;
  text: string;
}

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Shows the result of an action whose own part of the page may be gone. */
export function showToast(text: string): void {
  const id = ++lastId;
  toasts.value = [...toasts.peek(), { id, text }];
  setTimeout(() => {
    dismiss(id);
  }, SHOWN_MS);
}

function dismiss(id: number): void {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id);
}

/** The region of toasts. It is on the page before them, because screen readers announce only changes of a region. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text }) => (
        <div class="toast" key={id}>
          <span class="wrap">{text}</span>
          <Button
            kind="link"
            label={uiTexts().dismissText(text)}
            onClick={() => {
              dismiss(id);
            }}
          >
            {uiTexts().dismiss}
          </Button>
        </div>
      ))}
    </div>
  );
}
