import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { signedIn, type SignedIn as Person } from '../backend/session.ts';
import { signInPath } from '../callback.ts';
import { Failure } from './failure.tsx';
import { Loading } from './message.tsx';

type State = { person: Person } | { error: unknown } | undefined;

/** Shows a page to who is signed in; everybody else signs in first and comes back. */
export function SignedIn({ children }: { children: (person: Person) => ComponentChildren }) {
  const [state, setState] = useState<State>();
  useEffect(() => {
    signedIn().then(
      (person) => {
        if (person === undefined) location.replace(signInPath(location.href));
        else setState({ person });
      },
      (error: unknown) => {
        setState({ error });
      },
    );
  }, []);
  if (state === undefined) return <Loading />;
  return 'person' in state ? children(state.person) : <Failure error={state.error} />;
}
