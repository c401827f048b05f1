import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { UNUSUAL_ADDRESSES } from '../common/testing/unusual-addresses.ts';
import { sendBySmtp } from './smtp.ts';
import { Reply, startSmtpServer, type Faults } from './testing/smtp-server.ts';

const MAIL = {
  from: 'Hearth <no-reply@hearth.example>',
  to: ['ann@example.com'],
  message: { subject: 'Grüße', text: 'Hello\n.\nBye', html: '<p>Hello</p>' },
  messageId: '<1@hearth.example>',
};

async function server(faults: Faults = {}, options: Parameters<typeof startSmtpServer>[0] = {}) {
  const started = await startSmtpServer(options);
  onTestFinished(() => started[Symbol.asyncDispose]());
  Object.assign(started.faults, faults);
  return started;
}

test('sends a mail with its sender, recipient, id and both bodies', async () => {
  const { url, messages } = await server();
  expect(await sendBySmtp(url, MAIL)).toEqual({
    kind: 'sent',
    info: {
      messageId: '<1@hearth.example>',
      accepted: ['ann@example.com'],
      rejected: [],
      response: expect.stringMatching(/^250 /) as string,
    },
  });
  expect(messages).toHaveLength(1);
  const { to, raw } = messages[0] ?? { to: [], raw: '' };
  expect(to).toEqual(['ann@example.com']);
  for (const line of [
    'From: Hearth <no-reply@hearth.example>',
    'To: ann@example.com',
    'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
    'Message-ID: <1@hearth.example>',
    'Auto-Submitted: auto-generated',
    'Hello\r\n.\r\nBye',
    '<p>Hello</p>',
  ])
    expect(raw).toContain(line);
});

test.each(UNUSUAL_ADDRESSES)('sends a mail to %s, and to nobody else', async (address) => {
  const { url, messages } = await server();
  const outcome = await sendBySmtp(url, { ...MAIL, to: [address] });
  const accepted = outcome.kind === 'sent' ? outcome.info.accepted : [];
  // A name that ends with a dot is sent in quotes, as SMTP demands.
  expect(accepted.map((recipient) => recipient.replaceAll('"', ''))).toEqual([address]);
  expect(messages.map(({ to }) => to.length)).toEqual([1]);
});

test('adds no header for a line break in the subject', async () => {
  const { url, messages } = await server();
  const message = { ...MAIL.message, subject: 'Hi\r\nBcc: all@example.com' };
  await sendBySmtp(url, { ...MAIL, message });
  expect(messages[0]?.raw).not.toMatch(/^Bcc:/m);
});

test('logs in with the user and password of the URL', async () => {
  const seen: string[] = [];
  const logIn = (user: string, pass: string) => {
    seen.push(user, pass);
    return undefined;
  };
  const { port } = await server({ logIn });
  expect(await sendBySmtp(`smtp://ann%40a:p%3Ass@127.0.0.1:${port}`, MAIL)).toMatchObject({ kind: 'sent' });
  expect(seen).toEqual(['ann@a', 'p:ss']);
});

test.each<[string, Faults, string, string]>([
  ['that is busy when we connect', { connect: () => new Reply(421) }, 'deferred', '421'],
  ['that refuses the connection', { connect: () => new Reply(554) }, 'deferred', '554'],
  ['that refuses the sender for now', { sender: () => new Reply(451) }, 'deferred', '451'],
  ['that refuses the sender', { sender: () => new Reply(550) }, 'refused', '550'],
  ['that refuses the recipient for now', { recipient: () => new Reply(450) }, 'deferred', '450'],
  ['that refuses the recipient', { recipient: () => new Reply(550) }, 'refused', '550'],
  ['that disconnects before the message', { recipient: () => 'drop' }, 'deferred', 'closed'],
  ['that refuses the message for now', { message: () => new Reply(452) }, 'deferred', '452'],
  ['that refuses the message', { message: () => new Reply(554) }, 'refused', '554'],
  ['that disconnects after the message', { message: () => 'drop' }, 'unknown', 'RETRY'],
  ['that does not reply to the message', { message: () => new Promise(() => undefined) }, 'unknown', 'RETRY'],
])('classifies the attempt with a server %s', async (_case, faults, kind, words) => {
  const { url } = await server(faults);
  expect(await sendBySmtp(url, MAIL, 1500)).toEqual({
    kind,
    error: expect.stringContaining(words) as string,
  });
});

test('defers a mail if no server listens', async () => {
  const { url, ...gone } = await startSmtpServer();
  await gone[Symbol.asyncDispose]();
  expect(await sendBySmtp(url, MAIL)).toMatchObject({ kind: 'deferred' });
});

test.each([
  ['closes the connection', (socket: Socket) => socket.destroy()],
  ['does not reply', () => undefined],
])('defers a mail if the server %s', async (_case, onConnection) => {
  const silent = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  expect(await sendBySmtp(url, MAIL, 300)).toMatchObject({ kind: 'deferred' });
});

test('defers a mail if the certificate of the server is not trusted', async () => {
  const { port, messages } = await server({}, { secure: true });
  expect(await sendBySmtp(`smtps://127.0.0.1:${port}`, MAIL)).toMatchObject({ kind: 'deferred' });
  expect(messages).toEqual([]);
});

test('sends to the accepted recipients if others are refused', async () => {
  const { url, messages } = await server({
    recipient: (address) => (address === 'bob@example.com' ? new Reply(550) : undefined),
  });
  const to = ['ann@example.com', 'bob@example.com', 'cy@example.com'];
  expect(await sendBySmtp(url, { ...MAIL, to })).toMatchObject({
    kind: 'sent',
    info: { accepted: ['ann@example.com', 'cy@example.com'], rejected: ['bob@example.com'] },
  });
  expect(messages.map((message) => message.to)).toEqual([['ann@example.com', 'cy@example.com']]);
});

test('defers a mail if all recipients are refused, one of them for now', async () => {
  const { url } = await server({ recipient: (address) => new Reply(address.startsWith('ann') ? 450 : 550) });
  const outcome = await sendBySmtp(url, { ...MAIL, to: ['ann@example.com', 'bob@example.com'] });
  expect(outcome).toMatchObject({ kind: 'deferred' });
});

test('refuses an invalid address before the server sees it', async () => {
  const { url, messages } = await server();
  const to = ['ann@example.com>\r\nRCPT TO:<all@example.com'];
  expect(await sendBySmtp(url, { ...MAIL, to })).toMatchObject({ kind: 'refused' });
  expect(messages).toEqual([]);
});

test('defers a mail after a wrong password, and removes it from the error', async () => {
  const base64 = (secret: string) => Buffer.from(secret).toString('base64');
  const logIn = (user: string, pass: string) =>
    new Reply(535, `${user} ${pass} ${base64(pass)} ${base64(`\0${user}\0${pass}`)}`);
  const { port } = await server({ logIn });
  const outcome = await sendBySmtp(`smtp://hearth-user:hearth-pass@127.0.0.1:${port}`, MAIL);
  expect(outcome).toEqual({ kind: 'deferred', error: 'Invalid login: 535 *** *** *** ***' });
});
