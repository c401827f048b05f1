/** The value of MAIL_SMTP_URL if the Trigger Email extension sends the mail instead of this backend. */
export const TRIGGER_EMAIL_EXTENSION = 'extension';

export interface SmtpServer {
  host: string;
  port: number;
  /** True if the connection starts with TLS. */
  secure: boolean;
  /** True if the server must offer STARTTLS, so that credentials and mail are encrypted. */
  requireTLS: boolean;
  credentials: { user: string; pass: string } | undefined;
}

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '::1']);
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * Parses the URL of an SMTP server. User and password are optional and percent-encoded. Without a port the default of
 * the protocol applies.
 *
 * - `smtps://user:password@host:port` starts with TLS.
 * - `smtp://user:password@host:port` starts unencrypted and requires STARTTLS, except on localhost.
 *
 * @returns undefined if the text is not such a URL
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
