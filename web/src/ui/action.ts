import { HearthError } from '@hearth/client';
import { useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import { SESSION_ENDED, SIGN_IN, signInPath } from '../callback.ts';
import { isSignedOut, messageOf } from '../errors.ts';

export interface Outcome {
  kind: 'good' | 'bad';
  text: string;
  /** The code of a refusal by the backend. */
  code?: string;
}

/** An action of a user: whether it runs, and its result. */
export interface Action {
  busy: boolean;
  outcome: Outcome | undefined;
  /** Runs the work unless it is running. Its result is shown as success, and its error as failure. */
  run: (work: () => Promise<string | undefined> | Promise<void>) => Promise<void>;
}

export function useAction(): Action {
  const busy = useSignal(false);
  const outcome = useSignal<Outcome | undefined>(undefined);
  const run = useCallback<Action['run']>(async (work) => {
    if (busy.peek()) return;
    busy.value = true;
    outcome.value = undefined;
    try {
      const text = await work();
      outcome.value = text === undefined ? undefined : { kind: 'good', text };
    } catch (error) {
      if (isSignedOut(error) && location.pathname !== SIGN_IN) {
        location.assign(signInPath(location.href, SESSION_ENDED));
        return;
      }
      const text = messageOf(error);
      const code = error instanceof HearthError ? { code: error.code } : {};
      outcome.value = text === '' ? undefined : { kind: 'bad', text, ...code };
    } finally {
      busy.value = false;
    }
  }, []);
  return { busy: busy.value, outcome: outcome.value, run };
}
