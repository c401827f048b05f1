import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  /** On the button that opens the dialog. */
  label: string;
  title: string;
  kind?: 'plain' | 'primary' | 'danger' | 'link';
  /** The contents. They exist while the dialog is open. */
  children: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export function Dialog({ label, title, kind = 'plain', children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const close = () => dialog.current?.close();
  return (
    <>
      <Button
        kind={kind}
        onClick={() => {
          setOpen(true);
          dialog.current?.showModal();
        }}
      >
        {label}
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={id}
        onClose={() => {
          setOpen(false);
        }}
      >
        <div class="stack">
          <h2 id={id}>{title}</h2>
          {isOpen && children(close)}
        </div>
      </dialog>
    </>
  );
}
