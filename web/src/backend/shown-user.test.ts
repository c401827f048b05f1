import type { Auth, NextOrObserver, User } from 'firebase/auth';
import { expect, it, onTestFinished } from 'vitest';
import { isOtherUser, isUserOf, requireShownUser, showUser, watchUser } from './shown-user.ts';

/** A user of the SDK. The token of an operator names the user as whom they see the service. */
const userOf = (uid: string, seenAs?: string): User =>
  ({
    uid,
    getIdTokenResult: () =>
      Promise.resolve({ claims: seenAs === undefined ? {} : { impersonation: { uid: seenAs, until: 1 } } }),
  }) as unknown as User;

const sessionOf = (uid: string, operatorId?: string) => ({
  user: { uid },
  ...(operatorId !== undefined && { impersonation: { operatorId, endsAt: '2026-11-29T12:00:00Z' } }),
});

/** Stands in for the SDK: the function sets the user of all tabs, and ends after the token was read. */
function watchedSdk(): (user: User | null) => Promise<unknown> {
  const observers: NextOrObserver<User>[] = [];
  const auth: Pick<Auth, 'onIdTokenChanged'> = {
    onIdTokenChanged: (observer) => {
      observers.push(observer);
      return () => undefined;
    },
  };
  watchUser(auth);
  onTestFinished(() => {
    showUser(undefined);
  });
  return (user) => {
    for (const observer of observers) if (typeof observer === 'function') observer(user);
    return new Promise((resolve) => setImmediate(resolve));
  };
}

type Shown = ReturnType<typeof sessionOf>;

it.each<[who: string, shown: Shown | undefined, current: User | null, isRefused: boolean]>([
  ['the shown user', sessionOf('ada'), userOf('ada'), false],
  ['another user', sessionOf('ada'), userOf('grace'), true],
  ['nobody', sessionOf('ada'), null, false],
  ['a user on a page that shows nobody', undefined, userOf('grace'), false],
  ['an operator who sees the shown user', sessionOf('bob', 'olga'), userOf('olga', 'bob'), false],
  ['an operator on a page of the operator', sessionOf('olga'), userOf('olga', 'bob'), true],
  ['an operator who sees another user', sessionOf('bob', 'olga'), userOf('olga', 'carol'), true],
  ['an operator who sees nobody any more', sessionOf('bob', 'olga'), userOf('olga'), true],
])(
  'requests are refused only with the sign-in of another person: %s',
  async (_who, shown, user, isRefused) => {
    const signIn = watchedSdk();
    showUser(shown);
    await signIn(user);
    expect(isOtherUser.value).toBe(isRefused);
    if (isRefused) expect(requireShownUser).toThrow(/another account/);
    else expect(requireShownUser).not.toThrow();
    if (shown !== undefined && user !== null) expect(await isUserOf(shown, user)).toBe(!isRefused);
  },
);

it('a token that cannot be read changes nothing, and another account is noticed without it', async () => {
  const signIn = watchedSdk();
  const unreadable = (uid: string) =>
    ({ uid, getIdTokenResult: () => Promise.reject(new Error('offline')) }) as unknown as User;
  showUser(sessionOf('bob', 'olga'));
  await signIn(userOf('olga', 'bob'));
  await signIn(unreadable('olga'));
  expect(isOtherUser.value).toBe(false);
  await signIn(unreadable('grace'));
  expect(isOtherUser.value).toBe(true);
});
