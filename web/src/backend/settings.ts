/** Site key of reCAPTCHA Enterprise, for App Check; empty if the app does not use it. */
export const SITE_KEY = import.meta.env.VITE_APP_CHECK_SITE_KEY ?? '';

/** Whether the project has authenticator apps as second factor, which needs Identity Platform (docs/operations.md). */
export const HAS_SECOND_FACTOR = import.meta.env.VITE_SECOND_FACTOR === 'true';

// web/build.ts has checked the value.
const PROVIDERS = (import.meta.env.VITE_SIGN_IN_PROVIDERS ?? 'password,google').split(',');

/** Whether the pages offer to sign in with e-mail and password. */
export const OFFERS_PASSWORD = PROVIDERS.includes('password');

/** Whether the pages offer to sign in with Google. */
export const OFFERS_GOOGLE = PROVIDERS.includes('google');

/** Where the emulators are, as `host:port`; those that do not run are left out. */
export interface Emulators {
  auth?: string;
  firestore?: string;
  storage?: string;
}

/**
 * The emulators, read from `/__/firebase/init.js?useEmulator=true`, which Hosting's emulator serves. It contains the
 * ports that the CLI really uses, as JSON in a script for the older SDK. A page finds them nowhere else.
 *
 * https://firebase.google.com/docs/hosting/reserved-urls#sdk_auto-configuration
 */
export function emulatorsIn(initScript: string): Emulators {
  const json = /^\s*var firebaseEmulators = (\{.*?^\}|\{\});/ms.exec(initScript)?.[1];
  if (json === undefined) return {};
  const running = JSON.parse(json) as Record<string, { hostAndPort: string } | undefined>;
  const found: Emulators = {};
  for (const name of ['auth', 'firestore', 'storage'] as const) {
    const address = running[name]?.hostAndPort;
    if (address !== undefined) found[name] = address;
  }
  return found;
}

/** Whether the page comes from this machine, where emulators may stand in for Firebase. */
export function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
