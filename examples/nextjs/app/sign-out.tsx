'use client';

import { createHearthClient } from '@hearth/client';

/** Ends the session. In the browser the cookie identifies the user. */
export function SignOut() {
  const signOut = async () => {
    await createHearthClient().account.endSession();
    location.assign('/sign-in');
  };
  return (
    <button type="button" onClick={() => void signOut()}>
      Sign out
    </button>
  );
}
