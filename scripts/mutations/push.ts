import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/push';
const SESSIONS = 'functions/src/account/session.service.ts';
const tests = ['tests/push-devices.test.ts', 'tests/push-messages.test.ts'];

/** Devices and push messages. */
export const PUSH_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A device is registered only while its session is open',
    file: `${ROOM}/device.service.ts`,
    from: "if (session === undefined) throw refusal('credentials_ended');",
    to: 'if (session === undefined) return;',
    tests,
  },
  {
    guard: 'A device lasts no longer than its session',
    file: `${ROOM}/device.service.ts`,
    from: 'tx.devices.set(id, { ...device, deleteAt: session.expiresAt });',
    to: 'tx.devices.set(id, device);',
    tests,
  },
  {
    guard: 'Only the user of a device removes it',
    file: `${ROOM}/device.service.ts`,
    from: 'if (device?.uid === uid) tx.devices.delete(id);',
    to: 'tx.devices.delete(id);',
    tests,
  },
  {
    guard: 'Ending one session leaves the devices of the others',
    file: `${ROOM}/device.service.ts`,
    from: "db.devices.where('uid', '==', uid).where('sessionId', '==', sessionId)",
    to: "db.devices.where('uid', '==', uid)",
    tests,
  },
  {
    guard: 'Signing out removes the devices of the session',
    file: SESSIONS,
    from: `await backend.db.sessions(uid).delete(id);
  await removeDevicesOfSession(backend, uid, id);`,
    to: 'await backend.db.sessions(uid).delete(id);',
    tests,
  },
  {
    guard: 'Signing out everywhere removes the devices',
    file: SESSIONS,
    from: '  await removeDevicesOfEndedSignIns(backend, uid, signInsEndedAt);\n',
    to: '',
    tests,
  },
  {
    guard: 'Signing out everywhere leaves the devices of a later sign-in',
    file: `${ROOM}/device.service.ts`,
    from: 'if (data === undefined || isOfEndedSignIn(data, endedAt)) tx.devices.delete(id);',
    to: 'tx.devices.delete(id);',
    tests,
  },
  {
    guard: 'Nobody gets a message to an address that they have not verified',
    file: `${ROOM}/deliver.service.ts`,
    from: ' || (uid === null && !user.emailVerified)',
    to: '',
    tests,
  },
  {
    guard: 'A disabled user gets no message',
    file: `${ROOM}/deliver.service.ts`,
    from: 'user.disabled || ',
    to: '',
    tests,
  },
  {
    guard: 'A device whose sign-in has ended gets no message',
    file: `${ROOM}/deliver.service.ts`,
    from: ' && isSignedIn(data, user)',
    to: '',
    tests,
  },
  {
    guard: 'A device whose session has expired gets no message',
    file: `${ROOM}/deliver.service.ts`,
    from: 'data.deleteAt > now() && ',
    to: '',
    tests,
  },
  {
    guard: 'A device whose session was deleted gets no message',
    file: `${ROOM}/deliver.service.ts`,
    from: ' || sessions.has(data.sessionId)',
    to: ' || sessions.size >= 0',
    tests,
  },
  {
    guard: 'A device gets a message once',
    file: `${ROOM}/deliver.service.ts`,
    from: '!sentTo.includes(id) && ',
    to: '',
    tests,
  },
  {
    guard: 'A message that failed is sent again',
    file: `${ROOM}/deliver.service.ts`,
    from: 'if (failed === undefined) return;',
    to: 'if (failed === undefined || failed) return;',
    tests,
  },
  {
    guard: 'An outdated message is not sent',
    file: `${ROOM}/deliver.service.ts`,
    from: 'isOutdated(backend, push) ? [] : ',
    to: '',
    tests,
  },
  {
    guard: 'A malformed token is removed',
    file: `${ROOM}/message.ts`,
    from: "  { code: 'messaging/invalid-argument', text: /registration token/i },\n",
    to: '',
    tests,
  },
  {
    guard: 'A missing permission removes no device',
    file: `${ROOM}/message.ts`,
    from: ', text: /sender ?id/i',
    to: '',
    tests,
  },
  {
    guard: 'A project that Google does not know removes no device',
    file: `${ROOM}/message.ts`,
    from: ', text: /UNREGISTERED/',
    to: '',
    tests,
  },
  {
    guard: 'A failure that no repetition repairs is not repeated',
    file: `${ROOM}/message.ts`,
    from: "isIn(PERMANENT) ? 'impossible' : 'failed'",
    to: "'failed'",
    tests,
  },
  {
    guard: 'Deleting the account removes its devices',
    file: 'functions/src/feature-hooks/registry.ts',
    from: 'purgeAccount: [purgeDevices, ',
    to: 'purgeAccount: [',
    tests,
  },
  {
    guard: 'Deleting the account removes messages to it and in its name',
    file: 'functions/src/feature-hooks/registry.ts',
    from: `    forgetPushesTo,
    forgetPushesBy,
  `,
    to: '  ',
    tests,
  },
];
