import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * Keeps the focus where it was when what had it goes, such as a row that is deleted: otherwise whoever does not see the
 * screen or uses the keyboard would be back at the start of the page. The heading of the card takes it, or the page.
 */
export function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = page.current;
    if (root === null) return undefined;
    /** From what has the focus up to the page. */
    let path: Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      path = [];
      for (let at = target; at instanceof Element && at !== root; at = at.parentElement) path.push(at);
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || path[0]?.isConnected !== false) return;
      const card = path.find((element) => element.isConnected && element.matches('.card'));
      const target = card?.querySelector<HTMLElement>('h1, h2') ?? root;
      path = [];
      target.tabIndex = -1;
      target.focus();
    });
    root.addEventListener('focusin', remember);
    observer.observe(root, { childList: true, subtree: true });
    return () => {
      root.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [page]);
}
