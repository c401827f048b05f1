import type { DecodedIdToken, UserRecord } from 'firebase-admin/auth';
import { expect, test } from 'vitest';
import { callerFrom } from './caller.ts';

const token = { auth_time: 1, firebase: { sign_in_provider: 'password' } } as DecodedIdToken;

test.each<[claims: object | undefined, plan: string | undefined, entitlements: string[]]>([
  [undefined, undefined, []],
  [{ plan: 'pro' }, 'pro', []],
  [{ plan: 7, entitlements: 'export' }, undefined, []],
  [{ entitlements: ['export', 7, null, 'sso'] }, undefined, ['export', 'sso']],
])('a caller with the claims %j', (customClaims, plan, entitlements) => {
  const user = { uid: 'ada', emailVerified: false, customClaims } as object as UserRecord;
  expect(callerFrom({ token, user })).toMatchObject({ plan, entitlements });
});
