import { createHearthClient, type HearthClient } from '@hearth/client';
import { initializeApp, type FirebaseOptions } from 'firebase/app';
import { connectAuthEmulator, getAuth, type Auth } from 'firebase/auth';

export interface Backend {
  auth: Auth;
  hearth: HearthClient;
}

/** The Firebase SDK, and the client with its ID tokens. */
export function connect({
  hearthUrl,
  firebase,
  authEmulator,
}: {
  hearthUrl: string;
  firebase: FirebaseOptions;
  authEmulator: string | undefined;
}): Backend {
  // On a phone, README.md shows how to stay signed in when the app is closed.
  const auth = getAuth(initializeApp(firebase));
  if (authEmulator !== undefined) connectAuthEmulator(auth, authEmulator, { disableWarnings: true });
  const hearth = createHearthClient({
    baseUrl: hearthUrl,
    idToken: async () => auth.currentUser?.getIdToken(),
  });
  return { auth, hearth };
}
