import * as auth from 'firebase/auth';
import { expect, test } from 'vitest';

test('the Firebase SDK has no passkeys yet; when it gets them, offer them (docs/decisions)', () => {
  expect(Object.keys(auth).filter((name) => /passkey/i.test(name))).toEqual([]);
});
