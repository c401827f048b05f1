import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useSignedIn, type SignedIn as Person } from '../backend/session.ts';
import { signInPath } from '../callback.ts';
import { Failure } from './message.tsx';
import { PageLoading } from './outlines.tsx';

/** Shows a page to a signed-in visitor. Everybody else signs in first and comes back. */
export function SignedIn({ children }: { children: (person: Person) => ComponentChildren }) {
  const person = useSignedIn();
  const isSignedOut = person.state === 'ready' && person.value === undefined;
  useEffect(() => {
    if (isSignedOut) location.replace(signInPath(location.href));
  }, [isSignedOut]);
  if (person.state === 'failed') return <Failure error={person.error} />;
  if (person.state === 'loading' || person.value === undefined) return <PageLoading />;
  return children(person.value);
}
