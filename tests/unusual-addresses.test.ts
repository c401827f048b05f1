import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { UNUSUAL_ADDRESSES } from '../functions/src/common/testing/unusual-addresses.ts';
import { deliverDueMail } from '../functions/src/mail/deliver.service.ts';
import { startSmtpServer, type TestSmtpServer } from '../functions/src/mail/testing/smtp-server.ts';
import { mailsTo } from './support/account-mail.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore } from './support/cost.ts';
import { adminAuth, adminFirestore, signUp } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { createTeam, inviteTo } from './support/teams.ts';

const HOUR_MS = 3_600_000;

let app: AppUnderTest;
let smtp: TestSmtpServer;
const resources = useResources();
beforeAll(async () => {
  // A Firestore of its own: in the stack's, the deployed trigger sends the mail.
  resources.use(await meterFirestore());
  smtp = resources.use(await startSmtpServer());
  app = resources.use(await serveApp({ config: { mailSmtpUrl: smtp.url } }));
});

test.each(UNUSUAL_ADDRESSES)('an account with the address %s gets all mail', async (address) => {
  const email = `${randomUUID()}${address}`;
  const [person, owner] = await Promise.all([signUp({ email, emailVerified: false }), signUp()]);
  const verification = await call('POST', `${app.url}/api/auth/verification-mail`, {
    headers: person.bearer,
    json: {},
  });
  expect(verification.status).toBe(204);
  await adminAuth().updateUser(person.uid, { emailVerified: true });
  const reset = await call('POST', `${app.url}/api/auth/password-reset`, { json: { email } });
  expect(reset.status).toBe(204);
  await inviteTo(app.url, owner, await createTeam(app.url, owner), email);

  const sent = smtp.messages.length;
  await deliverDueMail({ ...app.backend, now: () => new Date(Date.now() + HOUR_MS) });
  expect(smtp.messages.length - sent).toBe(3);
  const { docs } = await adminFirestore().collection('mail').where('to', '==', [email]).get();
  expect(docs.map((document) => document.get('delivery.state') as unknown)).toEqual(Array(3).fill('SUCCESS'));
});

test('no mail is written to an account whose address cannot be mailed', async () => {
  const email = `${randomUUID()}@localhost`;
  const { bearer } = await signUp({ email, emailVerified: false });
  const answer = await call('POST', `${app.url}/api/auth/verification-mail`, { headers: bearer, json: {} });
  expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await mailsTo(email)).toEqual([]);
});
