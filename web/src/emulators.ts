/**
 * The Auth emulator's URL, read from what Hosting's emulator serves as `/__/firebase/init.js?useEmulator=true`. The CLI
 * puts the ports it really took there, as JSON in a script for the older SDK; nothing else tells a page of them.
 *
 * https://firebase.google.com/docs/hosting/reserved-urls#sdk_auto-configuration
 *
 * @returns undefined when no Auth emulator runs
 */
export function authEmulatorUrl(initScript: string): string | undefined {
  const json = /^\s*var firebaseEmulators = (\{.*?^\}|\{\});/ms.exec(initScript)?.[1];
  if (json === undefined) return undefined;
  const { auth } = JSON.parse(json) as { auth?: { hostAndPort: string } };
  return auth === undefined ? undefined : `http://${auth.hostAndPort}`;
}

/** Whether the page comes from this machine, where emulators may stand in for Firebase. */
export function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
