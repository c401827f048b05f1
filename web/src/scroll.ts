const STORED = 'hearth:scroll';

/** Events with which a person scrolls, or begins to. */
const GESTURES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Heights by the keys of the entries in the history. */
let heights = new Map<string, number>();

/** Ends the restoring that is in progress. */
let end: (() => void) | undefined;

/**
 * Restores the height at which a person left a page when they go back to it or load it again. The browser cannot do
 * that, because the content of a page comes later.
 */
export function rememberScrolling(): void {
  history.scrollRestoration = 'manual';
  heights = new Map(stored());
  restore();
  addEventListener('popstate', restore);
  addEventListener(
    'scroll',
    () => {
      if (end === undefined) heights.set(keyOfEntry(), scrollY);
    },
    { passive: true },
  );
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(STORED, JSON.stringify([...heights]));
    } catch {
      // A browser that stores nothing shows pages from their start.
    }
  });
}

function stored(): [key: string, height: number][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as [string, number][];
  } catch {
    // A browser that stores nothing remembers the heights until the page is left.
    return [];
  }
}

/** Scrolls whenever the page grows, until the height is reached or the person scrolls. */
function restore(): void {
  end?.();
  const height = heights.get(keyOfEntry()) ?? 0;
  const observer = new ResizeObserver(() => {
    scrollTo(0, height);
    if (Math.abs(scrollY - height) < 1) stop();
  });
  const stop = () => {
    observer.disconnect();
    for (const gesture of GESTURES) removeEventListener(gesture, stop);
    end = undefined;
  };
  end = stop;
  for (const gesture of GESTURES) addEventListener(gesture, stop, { passive: true });
  observer.observe(document.body);
}

/** The key of the entry of the history that is shown. An entry gets one when it is first asked for. */
function keyOfEntry(): string {
  const state: unknown = history.state;
  if (typeof state === 'object' && state !== null && 'key' in state) return String(state.key);
  // Not `crypto.randomUUID`, which browsers have only on pages with HTTPS and on localhost.
  const key = `${Date.now()}-${Math.random()}`;
  history.replaceState({ key }, '');
  return key;
}
