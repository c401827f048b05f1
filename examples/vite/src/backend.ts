import { createHearthClient } from '@hearth/client';
import { initializeApp, type FirebaseOptions } from 'firebase/app';
import { connectAuthEmulator, getAuth, onIdTokenChanged } from 'firebase/auth';

const { VITE_HEARTH_URL, VITE_FIREBASE_CONFIG, VITE_AUTH_EMULATOR } = import.meta.env;

/** The Firebase SDK keeps the user signed in, also while the payment page is open. */
export const auth = getAuth(initializeApp(JSON.parse(VITE_FIREBASE_CONFIG) as FirebaseOptions));
if (VITE_AUTH_EMULATOR !== undefined)
  connectAuthEmulator(auth, VITE_AUTH_EMULATOR, { disableWarnings: true });

/** The session cookie belongs to the backend's own origin, so this app sends ID tokens. */
export const hearth = createHearthClient({
  baseUrl: VITE_HEARTH_URL,
  idToken: async () => auth.currentUser?.getIdToken(),
});

/** Notifies the hooks when somebody signs in, also if it is the same user again. */
export const watchUser = (changed: (user: { uid: string } | null) => void) => onIdTokenChanged(auth, changed);

/** The page of this app that the payment page leads back to. RETURN_URLS must list its origin. */
export const returnUrl = `${location.origin}/paid`;
