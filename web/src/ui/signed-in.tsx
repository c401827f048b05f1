import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSignedIn, type SignedIn as Person } from '../backend/session.ts';
import { isOtherUser, otherUserError, showUser } from '../backend/shown-user.ts';
import { valueOf } from '../backend/source.ts';
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
  const session = valueOf(person)?.session;
  useEffect(() => {
    if (session !== undefined) showUser(session);
  }, [session?.user.uid, session?.impersonation?.operatorId]);
  if (isOtherUser.value) return <OtherUser />;
  if (person.state === 'failed') return <Failure error={person.error} />;
  if (person.state === 'loading' || person.value === undefined) return <PageLoading />;
  return children(person.value);
}

/** Shown instead of a page of one user after another one has signed in, in another tab. */
function OtherUser() {
  const [error] = useState(otherUserError);
  return <Failure error={error} />;
}
