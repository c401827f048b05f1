import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { sendLetter } from './smtp.ts';
import { Reply, startSmtpServer, type Faults } from './testing/smtp-server.ts';

const LETTER = {
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

test('a mail arrives with its sender, recipient, id and both bodies', async () => {
  const { url, messages } = await server();
  expect(await sendLetter(url, LETTER)).toEqual({
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

test('a line break in a name or subject adds no header', async () => {
  const { url, messages } = await server();
  const message = { ...LETTER.message, subject: 'Hi\r\nBcc: all@example.com' };
  await sendLetter(url, { ...LETTER, message });
  expect(messages[0]?.raw).not.toMatch(/^Bcc:/m);
});

test('user and password of the URL log in', async () => {
  const seen: string[] = [];
  const logIn = (user: string, pass: string) => {
    seen.push(user, pass);
    return undefined;
  };
  const { port } = await server({ logIn });
  expect(await sendLetter(`smtp://ann%40a:p%3Ass@127.0.0.1:${port}`, LETTER)).toMatchObject({ kind: 'sent' });
  expect(seen).toEqual(['ann@a', 'p:ss']);
});

test.each<[string, Faults, string, string]>([
  ['busy when it is called', { connect: () => new Reply(421) }, 'deferred', '421'],
  ['closed to us when it is called', { connect: () => new Reply(554) }, 'deferred', '554'],
  ['refusing the sender for now', { sender: () => new Reply(451) }, 'deferred', '451'],
  ['refusing the sender', { sender: () => new Reply(550) }, 'refused', '550'],
  ['refusing the recipient for now', { recipient: () => new Reply(450) }, 'deferred', '450'],
  ['refusing the recipient', { recipient: () => new Reply(550) }, 'refused', '550'],
  ['gone before it has the message', { recipient: () => 'drop' }, 'deferred', 'closed'],
  ['refusing the message for now', { message: () => new Reply(452) }, 'deferred', '452'],
  ['refusing the message', { message: () => new Reply(554) }, 'refused', '554'],
  ['gone once it has the message', { message: () => 'drop' }, 'unknown', 'RETRY'],
  ['silent once it has the message', { message: () => new Promise(() => undefined) }, 'unknown', 'RETRY'],
])('a server %s', async (_case, faults, kind, words) => {
  const { url } = await server(faults);
  expect(await sendLetter(url, LETTER, 1500)).toEqual({
    kind,
    error: expect.stringContaining(words) as string,
  });
});

test('a server that is not there', async () => {
  const { url, ...gone } = await startSmtpServer();
  await gone[Symbol.asyncDispose]();
  expect(await sendLetter(url, LETTER)).toMatchObject({ kind: 'deferred' });
});

test.each([
  ['that hangs up when it is called', (socket: Socket) => socket.destroy()],
  ['that says nothing', () => undefined],
])('a server %s has taken nothing', async (_case, onConnection) => {
  const silent = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  expect(await sendLetter(url, LETTER, 300)).toMatchObject({ kind: 'deferred' });
});

test('a certificate that nobody vouches for is no reason to give up, and gets no mail', async () => {
  const { port, messages } = await server({}, { secure: true });
  expect(await sendLetter(`smtps://127.0.0.1:${port}`, LETTER)).toMatchObject({ kind: 'deferred' });
  expect(messages).toEqual([]);
});

test('recipients who are refused do not keep it from the others', async () => {
  const { url, messages } = await server({
    recipient: (address) => (address === 'bob@example.com' ? new Reply(550) : undefined),
  });
  const to = ['ann@example.com', 'bob@example.com', 'cy@example.com'];
  expect(await sendLetter(url, { ...LETTER, to })).toMatchObject({
    kind: 'sent',
    info: { accepted: ['ann@example.com', 'cy@example.com'], rejected: ['bob@example.com'] },
  });
  expect(messages.map((message) => message.to)).toEqual([['ann@example.com', 'cy@example.com']]);
});

test('when all recipients are refused, one who may be taken later is reason to wait', async () => {
  const { url } = await server({ recipient: (address) => new Reply(address.startsWith('ann') ? 450 : 550) });
  const outcome = await sendLetter(url, { ...LETTER, to: ['ann@example.com', 'bob@example.com'] });
  expect(outcome).toMatchObject({ kind: 'deferred' });
});

test('an address that is none is refused without being said to the server', async () => {
  const { url, messages } = await server();
  const to = ['ann@example.com>\r\nRCPT TO:<all@example.com'];
  expect(await sendLetter(url, { ...LETTER, to })).toMatchObject({ kind: 'refused' });
  expect(messages).toEqual([]);
});

test('a wrong password waits for the right one, and is not told', async () => {
  const base64 = (secret: string) => Buffer.from(secret).toString('base64');
  const logIn = (user: string, pass: string) =>
    new Reply(535, `${user} ${pass} ${base64(pass)} ${base64(`\0${user}\0${pass}`)}`);
  const { port } = await server({ logIn });
  const outcome = await sendLetter(`smtp://hearth-user:hearth-pass@127.0.0.1:${port}`, LETTER);
  expect(outcome).toEqual({ kind: 'deferred', error: 'Invalid login: 535 *** *** *** ***' });
});
