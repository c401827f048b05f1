import { useCallback, useRef, useState } from 'react';

/** Something that a person starts, such as by a button. */
export interface Action<Arguments extends unknown[]> {
  /** Runs it. Never rejects. */
  run: (...given: Arguments) => Promise<void>;
  isRunning: boolean;
  /** The error of the last run; undefined while it runs and after a success. Its message is for people. */
  error: Error | undefined;
}

/**
 * Runs a function and keeps its error, so that a component can show it.
 *
 *     const { create } = useTeams();
 *     const creating = useAction(create);
 *     <button disabled={creating.isRunning} onClick={() => void creating.run({ name: 'Acme' })}>Create</button>
 */
export function useAction<Arguments extends unknown[]>(
  act: (...given: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const [state, setState] = useState<Omit<Action<Arguments>, 'run'>>({ isRunning: false, error: undefined });
  const latest = useRef(act);
  latest.current = act;
  const run = useCallback(async (...given: Arguments) => {
    setState({ isRunning: true, error: undefined });
    try {
      await latest.current(...given);
      setState({ isRunning: false, error: undefined });
    } catch (error) {
      setState({ isRunning: false, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }, []);
  return { run, ...state };
}
