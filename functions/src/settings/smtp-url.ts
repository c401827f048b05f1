/** Stands for a URL where the Trigger Email extension delivers what is in `mail/`, and this backend nothing. */
export const EXTENSION = 'extension';

/** An SMTP server as a connection needs it. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte on. */
  secure: boolean;
  /** STARTTLS, without which nothing is sent: on by default, so that no password travels in the clear. */
  requireTLS: boolean;
  credentials: { user: string; pass: string } | undefined;
}

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '::1']);
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * Reads `smtps://user:password@host:port` or `smtp://…`, which begins in the clear and then demands STARTTLS, but on this
 * machine. The parts of user and password that have a meaning in URLs are percent-encoded.
 *
 * @returns undefined for what is no such URL
 */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  const port = url === null ? undefined : DEFAULT_PORTS[url.protocol];
  if (url === null || port === undefined || url.hostname === '') return undefined;
  if ((url.pathname !== '' && url.pathname !== '/') || url.search !== '' || url.hash !== '') return undefined;
  if ((url.username === '') !== (url.password === '')) return undefined;
  const credentials = readCredentials(url);
  if (credentials === undefined && url.username !== '') return undefined;
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const secure = url.protocol === 'smtps:';
  return {
    host,
    port: url.port === '' ? port : Number(url.port),
    secure,
    requireTLS: !secure && !LOCAL_HOSTS.has(host),
    credentials,
  };
}

function readCredentials({ username, password }: URL): SmtpServer['credentials'] {
  if (username === '') return undefined;
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
