import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useFocusHeir } from './focus.ts';

export interface ButtonProps {
  children: ComponentChildren;
  kind?: 'plain' | 'primary' | 'danger' | 'link' | 'danger-link' | 'google';
  type?: 'button' | 'submit';
  /** Ignores clicks while something runs. The button keeps the focus, which `disabled` would take from it. */
  busy?: boolean;
  /** Ignores clicks, because there is nothing to do. It keeps the focus, too. */
  isOff?: boolean;
  wide?: boolean;
  label?: string;
  /** In a dialog: the choice of a visitor who presses Enter without reading. */
  autofocus?: boolean;
  onClick?: (() => void) | undefined;
}

const CLASSES = {
  plain: 'button',
  primary: 'button primary',
  danger: 'button danger',
  google: 'button google',
  link: 'link-button',
  'danger-link': 'link-button danger',
};

export function Button({
  children,
  kind = 'plain',
  type = 'button',
  busy = false,
  isOff = false,
  wide,
  label,
  autofocus,
  onClick,
}: ButtonProps) {
  const element = useRef<HTMLButtonElement>(null);
  useFocusHeir(element);
  return (
    <button
      ref={element}
      type={type}
      class={`${CLASSES[kind]}${wide === true ? ' wide' : ''}`}
      aria-disabled={busy || isOff ? 'true' : undefined}
      aria-busy={busy ? 'true' : undefined}
      aria-label={label}
      autofocus={autofocus}
      onClick={(event) => {
        if (busy || isOff) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}
