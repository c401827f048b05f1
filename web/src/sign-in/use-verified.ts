import type { User } from 'firebase/auth';
import { useEffect } from 'preact/hooks';

/** How often a page that is shown asks whether the address was verified elsewhere, such as on a phone. */
const ASK_MS = 10_000;

/**
 * Calls back once the address of the user is verified. Asks when a person comes back to the page, and while it is
 * shown.
 */
export function useVerified(user: User, onVerified: () => void): void {
  useEffect(() => {
    let isOver = false;
    const ask = () => {
      if (document.hidden || isOver) return;
      void isVerifiedNow(user).then(
        (isVerified) => {
          if (!isVerified || isOver) return;
          isOver = true;
          onVerified();
        },
        // Without a connection, the next look asks again.
        () => undefined,
      );
    };
    const timer = setInterval(ask, ASK_MS);
    addEventListener('focus', ask);
    document.addEventListener('visibilitychange', ask);
    return () => {
      isOver = true;
      clearInterval(timer);
      removeEventListener('focus', ask);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [user]);
}

/**
 * The backend looks the account up at each request, so its session needs no renewal; the SDK's token carries the claim.
 */
export async function isVerifiedNow(user: User): Promise<boolean> {
  await user.reload();
  if (user.emailVerified) await user.getIdToken(true);
  return user.emailVerified;
}
