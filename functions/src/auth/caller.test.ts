import { expect, test } from 'vitest';
import { callerFrom } from './caller.ts';
import type { Token } from './tokens/token.ts';
import type { UserState } from './users/user-states.ts';

const token = { signedInAt: new Date(0), signInMethod: 'password' } as Token;

test.each<[claims: object, plan: string | undefined, entitlements: string[]]>([
  [{}, undefined, []],
  [{ plan: 'pro' }, 'pro', []],
  [{ plan: 7, entitlements: 'export' }, undefined, []],
  [{ entitlements: ['export', 7, null, 'sso'] }, undefined, ['export', 'sso']],
])('a caller with the claims %j', (customClaims, plan, entitlements) => {
  const user = { uid: 'ada', emailVerified: false, customClaims } as object as UserState;
  expect(callerFrom(token, user)).toMatchObject({ plan, entitlements });
});
