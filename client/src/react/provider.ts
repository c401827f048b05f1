import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from 'react';
import type { HearthClient } from '../index.ts';
import { LOADING, type Answer, type SharedAnswer } from './answer.ts';
import { Answers } from './answers.ts';

const Context = createContext<Answers | undefined>(undefined);

export interface HearthProviderProps {
  client: HearthClient;
  /**
   * Reports the user of the Firebase SDK, for clients with ID tokens: `(changed) => onIdTokenChanged(auth, changed)`.
   * Without it the session cookie identifies the user.
   */
  watchUser?: ((changed: (user: { uid: string } | null) => void) => () => void) | undefined;
  children?: ReactNode;
}

/**
 * Gives the client to the hooks below it. They share their answers, which are discarded when the user changes.
 *
 *     <HearthProvider client={hearth} watchUser={(changed) => onIdTokenChanged(auth, changed)}>
 *       <App />
 *     </HearthProvider>
 */
export function HearthProvider({ client, watchUser, children }: HearthProviderProps): ReactElement {
  const waitsForUser = watchUser !== undefined;
  const answers = useMemo(() => new Answers(client, { waitsForUser }), [client, waitsForUser]);
  useEffect(
    () =>
      watchUser?.((user) => {
        answers.userChanged(user?.uid ?? null);
      }),
    [answers, watchUser],
  );
  return createElement(Context.Provider, { value: answers }, children);
}

/** The client of the provider. */
export function useHearth(): HearthClient {
  return useAnswers().client;
}

/** @throws Error outside of a provider */
export function useAnswers(): Answers {
  const answers = useContext(Context);
  if (answers === undefined) throw new Error('Hooks of @hearth/client/react need a <HearthProvider>.');
  return answers;
}

export interface Reloading {
  /** Requests it again. The last answer stays until the new one is there. Never rejects. */
  reload: () => Promise<void>;
}

const loading = () => LOADING;

/** The answer, and the function that requests it again. */
export function useShared<Data>(shared: SharedAnswer<Data>): Answer<Data> & Reloading {
  // A server renders nothing of a user.
  const answer = useSyncExternalStore<Answer<Data>>(shared.subscribe, shared.get, loading);
  return useMemo(() => ({ ...answer, reload: shared.reload }), [answer, shared]);
}
