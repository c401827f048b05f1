import type { ComponentChildren, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { UserFacingError } from '../errors.ts';
import { useAction } from './action.ts';
import { Button } from './button.tsx';
import { Field } from './form.tsx';
import { Message } from './message.tsx';
import { uiTexts } from './texts.ts';
import { showToast } from './toasts.tsx';

interface QuestionProps {
  title: string;
  /** Describes the effect. */
  children: ComponentChildren;
  /** Text of the button that confirms. */
  confirm: string;
  /** A name that must be typed first. For actions that also affect other people. */
  typed?: { label: string; name: string } | undefined;
  /** A text that it returns is shown when the dialog is closed. */
  onConfirm: () => Promise<string | undefined> | Promise<void>;
}

interface ConfirmProps extends QuestionProps {
  /** On the button that asks. */
  label: string;
  /** Names the object of the action for screen readers, if the label does not. */
  about?: string;
  kind?: 'danger' | 'danger-link' | 'link';
}

/** A button for an action that cannot be undone. A dialog asks first, and shows the result. */
export function Confirm({ label, about, kind = 'danger', ...question }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button kind={kind} onClick={() => dialog.current?.showModal()}>
        {label}
        {about !== undefined && <span class="visually-hidden"> {about}</span>}
      </Button>
      <Question dialog={dialog} {...question} />
    </>
  );
}

/** The same question for an action that does not begin with a button. It asks when it is rendered. */
export function Ask({ onClosed, ...question }: QuestionProps & { onClosed: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return <Question dialog={dialog} onClosed={onClosed} {...question} />;
}

interface DialogProps extends QuestionProps {
  dialog: RefObject<HTMLDialogElement | null>;
  onClosed?: () => void;
}

function Question({ dialog, onClosed, title, children, confirm, typed, onConfirm }: DialogProps) {
  const entered = useRef('');
  const id = useId();
  const { busy, outcome, run } = useAction();
  const close = () => dialog.current?.close();
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClosed}>
      <div class="stack">
        <h2 id={id}>{title}</h2>
        <div>{children}</div>
        {typed !== undefined && (
          <Field
            label={typed.label}
            name="confirmation"
            autocomplete="off"
            onInput={({ currentTarget }) => {
              entered.current = currentTarget.value;
            }}
          />
        )}
        <Message outcome={outcome} />
        <div class="actions">
          <Button
            kind="danger"
            busy={busy}
            onClick={() => {
              void run(async () => {
                if (typed !== undefined) requireTyped(typed.name, entered.current);
                const text = await onConfirm();
                close();
                if (typeof text === 'string') showToast(text);
              });
            }}
          >
            {confirm}
          </Button>
          <Button autofocus onClick={close}>
            {uiTexts().cancel}
          </Button>
        </div>
      </div>
    </dialog>
  );
}

/**
 * A person can only type a name as they see it. A page shows several spaces, and one that does not break, as one space.
 *
 * @throws UserFacingError if the text is not the name
 */
export function requireTyped(name: string, text: string): void {
  if (asShown(text) !== asShown(name)) throw new UserFacingError(uiTexts().typeToConfirm(name));
}

/** Keyboards differ in whether they type an accented letter as one character or as two. */
const asShown = (text: string) => text.normalize('NFC').replace(/\s+/gu, ' ').trim();
