import { HearthError } from '@hearth/client';
import { useCallback, useRef, useState } from 'preact/hooks';
import { SIGN_IN, signInPath } from '../callback.ts';
import { isSignedOut, messageOf } from '../errors.ts';

export interface Outcome {
  kind: 'good' | 'bad';
  text: string;
  /** The code of a refusal by the backend. */
  code?: string;
}

/** Something that a person asked for: whether it is under way, and how it went. */
export interface Action {
  busy: boolean;
  outcome: Outcome | undefined;
  /** Runs the work unless it is running. Its result is shown as success, and its error as failure. */
  run: (work: () => Promise<string | undefined> | Promise<void>) => Promise<void>;
}

export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const running = useRef(false);
  const run = useCallback<Action['run']>(async (work) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setOutcome(undefined);
    try {
      const text = await work();
      setOutcome(text === undefined ? undefined : { kind: 'good', text });
    } catch (error) {
      if (isSignedOut(error) && location.pathname !== SIGN_IN) {
        location.assign(signInPath(location.href));
        return;
      }
      const text = messageOf(error);
      const code = error instanceof HearthError ? { code: error.code } : {};
      setOutcome(text === '' ? undefined : { kind: 'bad', text, ...code });
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  return { busy, outcome, run };
}
