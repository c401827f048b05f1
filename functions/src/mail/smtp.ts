import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { readSmtpUrl, type SmtpServer } from '../settings/smtp-url.ts';
import { describeUnknown, type DeliveryInfo, type Outcome } from './delivery.ts';
import type { Message, UnsubscribeHeaders } from './outbox.store.ts';

export interface Letter {
  from: string;
  to: readonly string[];
  message: Message;
  headers?: UnsubscribeHeaders | undefined;
  /** The same at each attempt, so that receivers know a mail that they have. */
  messageId: string;
}

/** For a whole attempt, from connecting to the server's last word. */
const PATIENCE_MS = 60_000;

/**
 * Hands a mail to an SMTP server, once, and tells what is known of the result. Never throws.
 *
 * Recipients whom the server refuses while it takes others are told in `info.rejected`: sending again would reach the
 * others twice.
 *
 * @param url see readSmtpUrl; nothing of its user and password is in the outcome
 */
export async function sendLetter(url: string, letter: Letter, patienceMs = PATIENCE_MS): Promise<Outcome> {
  const server = readSmtpUrl(url);
  if (server === undefined)
    return { kind: 'deferred', error: 'MAIL_SMTP_URL is not the URL of an SMTP server' };
  const progress: Progress = { handedOver: false };
  try {
    return { kind: 'sent', info: await converse(server, letter, progress, patienceMs) };
  } catch (error) {
    return redacted(judgeFailure(error, progress), server);
  }
}

interface Progress {
  /** From the first byte of the message on, the server may have all of it. */
  handedOver: boolean;
}

async function converse(
  { credentials, ...server }: SmtpServer,
  letter: Letter,
  progress: Progress,
  patienceMs: number,
): Promise<DeliveryInfo> {
  const [{ default: Connection }, composed] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    compose(letter),
  ]);
  const connection = new Connection({
    ...server,
    greetingTimeout: patienceMs,
    connectionTimeout: patienceMs,
  });
  const timer = setTimeout(() => {
    connection.emit('error', new Error(`No answer within ${patienceMs / 1000} seconds`));
  }, patienceMs);
  const failed = new Promise<never>((_resolve, reject) => {
    connection.on('error', reject);
  });
  try {
    await Promise.race([failed, connect(connection)]);
    if (credentials !== undefined) await Promise.race([failed, logIn(connection, credentials)]);
    const body = Readable.from(noticing(composed.bytes, progress), { objectMode: false });
    const info = await Promise.race([failed, send(connection, composed.envelope, body)]);
    return { messageId: letter.messageId, ...info };
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}

async function compose({ from, to, message, headers, messageId }: Letter) {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { subject, text, html } = message;
  const node = new MailComposer({
    from,
    to: to.map((address) => ({ name: '', address })),
    subject,
    text,
    html,
    messageId,
    // Out-of-office programs do not answer it. https://www.rfc-editor.org/rfc/rfc3834#section-5
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return { envelope: node.getEnvelope(), bytes: await node.build() };
}

/** The connection takes from it only when the server has asked for the message. */
function* noticing(bytes: Buffer, progress: Progress): Generator<Buffer> {
  progress.handedOver = true;
  yield bytes;
}

function connect(connection: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.connect((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function logIn(connection: SMTPConnection, credentials: { user: string; pass: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.login({ credentials }, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function send(
  connection: SMTPConnection,
  envelope: { from: string | false; to: string[] },
  body: Readable,
): Promise<Omit<DeliveryInfo, 'messageId'>> {
  return new Promise((resolve, reject) => {
    connection.send(envelope, body, (error, info) => {
      if (error) reject(error);
      else {
        const { accepted, rejected, response } = info;
        resolve({ accepted, rejected, response });
      }
    });
  });
}

/** Commands by whose reply the server judges this mail, and not us or itself. */
const ABOUT_THE_MAIL = new Set<unknown>(['MAIL FROM', 'RCPT TO', 'DATA']);

/** What the mail program itself finds wrong with a mail. */
const MALFORMED = new Set<unknown>(['EENVELOPE', 'EMESSAGE']);

function judgeFailure(thrown: unknown, { handedOver }: Progress): Exclude<Outcome, { kind: 'sent' }> {
  const failure: Error & { responseCode?: unknown; command?: unknown; code?: unknown } =
    thrown instanceof Error ? thrown : new Error(String(thrown));
  const { message, responseCode, command, code } = failure;
  if (typeof responseCode !== 'number') {
    if (handedOver) return { kind: 'unknown', error: describeUnknown(message) };
    return { kind: MALFORMED.has(code) ? 'refused' : 'deferred', error: message };
  }
  const permanent = responseCode >= 500 && ABOUT_THE_MAIL.has(command);
  return { kind: permanent ? 'refused' : 'deferred', error: message };
}

/** A server may repeat what it was told. */
function redacted<Failure extends { error: string }>(failure: Failure, { credentials }: SmtpServer): Failure {
  if (credentials === undefined) return failure;
  const { user, pass } = credentials;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const secrets = [
    base64(`\0${user}\0${pass}`),
    base64(pass),
    base64(user),
    encodeURIComponent(pass),
    pass,
    user,
  ];
  const error = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), failure.error);
  return { ...failure, error };
}
