import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * Moves the focus when the element that has it is removed, such as the button of a deleted row. Otherwise a person with
 * a keyboard or a screen reader would be back at the start of the page. The heading of the card gets it, or the page.
 */
export function useFocusHeir(leaving: RefObject<HTMLElement | null>): void {
  // A layout effect ends before the element is removed.
  useLayoutEffect(
    () => () => {
      const element = leaving.current;
      if (element?.contains(document.activeElement) !== true) return;
      // Nothing outside of an open dialog can have the focus.
      element.closest('dialog')?.close();
      const heir = headingBeside(element) ?? document.querySelector<HTMLElement>('main');
      if (heir === null) return;
      heir.tabIndex = -1;
      heir.focus();
    },
    [leaving],
  );
}

/** The heading of the card around an element; undefined for the card itself, which goes as a whole. */
function headingBeside(element: HTMLElement): HTMLElement | undefined {
  return element.parentElement?.closest('.card')?.querySelector<HTMLElement>('h1, h2') ?? undefined;
}
