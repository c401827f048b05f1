import { expect, onTestFinished, test } from 'vitest';
import { startSmtpServer } from '../functions/src/mail/testing/smtp-server.ts';
import { startStack } from '../scripts/stack.ts';
import { adminFirestore } from './support/people.ts';

test('a document in mail/ calls the deployed function, which sends it', async () => {
  const smtp = await startSmtpServer();
  onTestFinished(() => smtp[Symbol.asyncDispose]());
  // Without a build, because the other stack is serving what was built.
  const stack = await startStack({
    projectId: 'demo-hearth-mail',
    ports: 'free',
    build: 'skip',
    secrets: { MAIL_SMTP_URL: smtp.url },
    onLine: (source, line) => {
      console.log(`${source}: ${line}`);
    },
  });
  onTestFinished(stack.stop);
  // The Admin SDK of this file uses that stack.
  const { env, projectId } = stack;
  Object.assign(process.env, env, { FIREBASE_CONFIG: JSON.stringify({ projectId }) });
  const firestore = adminFirestore();
  const document = firestore.doc('mail/first');
  const { promise: sent, resolve } = Promise.withResolvers<unknown>();
  const unsubscribe = document.onSnapshot((snapshot) => {
    const state: unknown = snapshot.get('delivery.state');
    if (state === 'SUCCESS' || state === 'ERROR') resolve(snapshot.get('delivery'));
  });
  onTestFinished(unsubscribe);
  const message = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

  await document.create({ to: ['ann@example.com'], message });

  expect(await sent).toMatchObject({ state: 'SUCCESS', attempts: 1, error: null });
  expect(smtp.messages.map(({ to }) => to)).toEqual([['ann@example.com']]);
});
