import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  /** On the button that opens the dialog. */
  label: string;
  title: string;
  kind?: 'plain' | 'primary' | 'danger' | 'link' | 'danger-link';
  /** The contents. They exist while the dialog is open. */
  children: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export function Dialog({ label, title, kind = 'plain', children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // How often it was opened since it was closed. A click counts although the browser has not reported yet that it
  // closed.
  const [openings, setOpenings] = useState(0);
  const close = () => dialog.current?.close();
  // The contents come first, so that the browser finds the element that gets the focus.
  useLayoutEffect(() => {
    if (openings > 0 && dialog.current?.open === false) dialog.current.showModal();
  }, [openings]);
  return (
    <>
      <Button
        kind={kind}
        onClick={() => {
          setOpenings((before) => before + 1);
        }}
      >
        {label}
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={id}
        onClose={() => {
          if (dialog.current?.open === false) setOpenings(0);
        }}
      >
        <div class="stack">
          <h2 id={id}>{title}</h2>
          {openings > 0 && children(close)}
        </div>
      </dialog>
    </>
  );
}
