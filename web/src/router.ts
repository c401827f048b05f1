import { useLayoutEffect, useState } from 'preact/hooks';

const LEFT = 'hearth:navigate';

/** Shows another page of the app without loading it anew. */
export function navigate(url: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  dispatchEvent(new Event(LEFT));
}

/** The path of the page that is shown. */
export function usePath(): string {
  const [path, setPath] = useState(location.pathname);
  // Before the next click can be handled. An effect runs later, and would miss a click on a link until then.
  useLayoutEffect(() => {
    const update = () => {
      setPath(location.pathname);
    };
    const events = ['popstate', LEFT];
    for (const event of events) addEventListener(event, update);
    return () => {
      for (const event of events) removeEventListener(event, update);
    };
  }, []);
  return path;
}

/** Whether a click on a link asks for this tab, and not for a new one or a download. */
export function isPlainClick({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;
}
