import type { Auth, NextOrObserver, User } from 'firebase/auth';
import { expect, it, onTestFinished } from 'vitest';
import { isOtherUser, requireShownUser, showUser, watchUser } from './shown-user.ts';

/** Stands in for the SDK: the function sets the user of all tabs. */
function watchedSdk(): (uid: string | null) => void {
  const observers: NextOrObserver<User>[] = [];
  const auth: Pick<Auth, 'onAuthStateChanged'> = {
    onAuthStateChanged: (observer) => {
      observers.push(observer);
      return () => undefined;
    },
  };
  watchUser(auth);
  onTestFinished(() => {
    showUser(undefined);
  });
  return (uid) => {
    for (const observer of observers) {
      if (typeof observer === 'function') observer(uid === null ? null : ({ uid } as User));
    }
  };
}

it.each<[who: string, shown: string | undefined, current: string | null, isRefused: boolean]>([
  ['the shown user', 'ada', 'ada', false],
  ['another user', 'ada', 'grace', true],
  ['nobody', 'ada', null, false],
  ['a user on a page that shows nobody', undefined, 'grace', false],
])('with the sign-in of %s, requests are refused: %s as %s, %s', (_who, shown, current, isRefused) => {
  const signIn = watchedSdk();
  showUser(shown);
  signIn(current);
  expect(isOtherUser.value).toBe(isRefused);
  if (isRefused) expect(requireShownUser).toThrow(/another account/);
  else expect(requireShownUser).not.toThrow();
});
