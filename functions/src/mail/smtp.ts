import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { traced, type SpanDescription } from '../common/span.ts';
import type { DeliveryInfo } from '../firestore/documents/mail.ts';
import { readSmtpUrl, type SmtpServer } from '../settings/smtp-url.ts';
import { describeUnknown, type Outcome } from './delivery.ts';
import type { Message, UnsubscribeHeaders } from './outbox.store.ts';

export interface SmtpMail {
  from: string;
  to: readonly string[];
  message: Message;
  headers?: UnsubscribeHeaders | undefined;
  /** The same for each attempt, so that receivers recognize a mail that arrives twice. */
  messageId: string;
}

/** For a whole attempt, from connecting to the last reply. */
const TIMEOUT_MS = 60_000;

/**
 * Sends a mail to an SMTP server, once. Never throws.
 *
 * `sent` means that the server accepted at least one recipient; `info.rejected` has the other recipients. There is no
 * second attempt for them, because it would reach the accepted recipients twice.
 *
 * @param url see `readSmtpUrl`. The outcome does not contain its user and password
 * @param timeoutMs for the whole attempt
 */
export async function sendBySmtp(url: string, mail: SmtpMail, timeoutMs = TIMEOUT_MS): Promise<Outcome> {
  const server = readSmtpUrl(url);
  if (server === undefined)
    return { kind: 'deferred', error: 'MAIL_SMTP_URL is not the URL of an SMTP server' };
  const progress: Progress = { isTransmitting: false };
  try {
    const info = await traced(
      () => describeSending(server, mail),
      () => transmit(server, mail, progress, timeoutMs),
    );
    return { kind: 'sent', info };
  } catch (error) {
    return redact(classifyFailure(error, progress), server);
  }
}

/** Describes the attempt without addresses and content. */
function describeSending({ host, port }: SmtpServer, { to }: SmtpMail): SpanDescription {
  return {
    name: 'smtp send',
    kind: 'client',
    attributes: {
      'network.protocol.name': 'smtp',
      'server.address': host,
      'server.port': port,
      'messaging.batch.message_count': to.length,
    },
  };
}

interface Progress {
  /** True from the first byte of the message on. The server may then have the whole message. */
  isTransmitting: boolean;
}

async function transmit(
  { credentials, ...server }: SmtpServer,
  mail: SmtpMail,
  progress: Progress,
  timeoutMs: number,
): Promise<DeliveryInfo> {
  const [{ default: Connection }, composed] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    compose(mail),
  ]);
  const connection = new Connection({
    ...server,
    greetingTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
  });
  const timer = setTimeout(() => {
    connection.emit('error', new Error(`No answer within ${timeoutMs / 1000} seconds`));
  }, timeoutMs);
  const failed = new Promise<never>((_resolve, reject) => {
    connection.on('error', reject);
  });
  try {
    await Promise.race([failed, connect(connection)]);
    if (credentials !== undefined) await Promise.race([failed, logIn(connection, credentials)]);
    const body = Readable.from(markTransmission(composed.bytes, progress), { objectMode: false });
    const info = await Promise.race([failed, send(connection, composed.envelope, body)]);
    return { messageId: mail.messageId, ...info };
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}

async function compose({ from, to, message, headers, messageId }: SmtpMail) {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { subject, text, html } = message;
  const node = new MailComposer({
    from,
    to: to.map((address) => ({ name: '', address })),
    subject,
    text,
    html,
    messageId,
    // Out-of-office programs send no reply to such mail. https://www.rfc-editor.org/rfc/rfc3834#section-5
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return { envelope: node.getEnvelope(), bytes: await node.build() };
}

/** The connection reads `bytes` only after the server has asked for the message. */
function* markTransmission(bytes: Buffer, progress: Progress): Generator<Buffer> {
  progress.isTransmitting = true;
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

/**
 * A permanent failure of one of these commands is about this mail. A permanent failure of another command is about our
 * access or the server.
 */
const MAIL_COMMANDS = new Set<unknown>(['MAIL FROM', 'RCPT TO', 'DATA']);

/** Codes of nodemailer for a mail that it does not send. */
const MALFORMED = new Set<unknown>(['EENVELOPE', 'EMESSAGE']);

function classifyFailure(thrown: unknown, { isTransmitting }: Progress): Exclude<Outcome, { kind: 'sent' }> {
  const failure: Error & { responseCode?: unknown; command?: unknown; code?: unknown } =
    thrown instanceof Error ? thrown : new Error(String(thrown));
  const { message, responseCode, command, code } = failure;
  if (typeof responseCode !== 'number') {
    if (isTransmitting) return { kind: 'unknown', error: describeUnknown(message) };
    return { kind: MALFORMED.has(code) ? 'refused' : 'deferred', error: message };
  }
  const permanent = responseCode >= 500 && MAIL_COMMANDS.has(command);
  return { kind: permanent ? 'refused' : 'deferred', error: message };
}

/** Removes the credentials, which a server may repeat in its reply. */
function redact<Failure extends { error: string }>(failure: Failure, { credentials }: SmtpServer): Failure {
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
