import { signal } from '@preact/signals';

const KEY = 'hearth.session';

/**
 * Whether this browser has probably a session. The cookie cannot be read by the page, so a mark beside it saves the
 * request of every visitor who has never signed in. The mark gives no rights; the backend checks the cookie.
 */
const probable = signal(read());

/** True also if the browser stores nothing: then the backend must be asked. */
function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

export const hasProbableSession = (): boolean => probable.value;

/** Call this when the backend has said whether there is a session. */
export function markSession(exists: boolean): void {
  probable.value = exists;
  try {
    if (exists) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // A browser that stores nothing asks the backend each time.
  }
}
