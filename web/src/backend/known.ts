import { useEffect, useState } from 'preact/hooks';
import { hearth } from './hearth.ts';

let asked: Promise<boolean> | undefined;

/** Whether the backend knows who this is, without the Firebase SDK. Until it has answered, and without an answer, not. */
export function useIsKnown(asks: boolean): boolean {
  const [known, setKnown] = useState(false);
  useEffect(() => {
    if (!asks) return;
    asked ??= hearth.account.session().then(
      (session) => session !== undefined,
      () => false,
    );
    void asked.then(setKnown);
  }, [asks]);
  return asks && known;
}
