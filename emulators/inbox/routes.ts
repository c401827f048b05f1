import type { IncomingMessage } from 'node:http';
import type { Place } from './data/documents.ts';
import type { InboxMessage } from './messages.ts';
import type { PageFile } from './page.ts';
import type { Mailbox } from './sources.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** For the page itself: its own files and answers, and frames of the mail it shows. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For a mail, which others wrote: no script, nothing from outside; a link opens in a tab of its own. */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** The files of the pages, and the sources of their contents. */
export interface Contents {
  pages: ReadonlyMap<string, PageFile>;
  mailbox: Mailbox;
  /** @throws Error while Firestore does not answer */
  readPlace: (path: string, pageToken: string | null) => Promise<Place>;
}

/** Answers a request; never throws. */
export async function answer(
  request: IncomingMessage,
  contents: Contents,
  isOwnHost: boolean,
): Promise<Answer> {
  if (!isOwnHost) return json(403, { error: 'The inbox answers to 127.0.0.1 and localhost only.' });
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return json(405, { error: 'The inbox is read only.' });
  const url = new URL(request.url ?? '/', 'http://localhost');
  const file = contents.pages.get(url.pathname);
  if (file !== undefined) return send(200, file.type, file.body, PAGE_POLICY);
  try {
    return await answerFromEmulators(url, contents);
  } catch {
    return json(503, { error: 'The emulators do not answer, or refuse this.' });
  }
}

async function answerFromEmulators({ pathname, searchParams }: URL, contents: Contents): Promise<Answer> {
  if (pathname === '/api/data') {
    const { readPlace } = contents;
    return json(200, await readPlace(searchParams.get('path') ?? '', searchParams.get('pageToken')));
  }
  const [, id] = /^\/messages\/([^/]+)$/.exec(pathname) ?? [];
  if (pathname !== '/api/messages' && id === undefined) return json(404, { error: 'There is no such page.' });
  const messages = await contents.mailbox.read();
  return id === undefined
    ? json(200, { messages: sentTo(messages, searchParams.get('to')) })
    : bodyOf(messages.find((message) => encodeURIComponent(message.id) === id));
}

/** The messages to an address that contains the text in any case; without a text, all messages. */
function sentTo(messages: readonly InboxMessage[], part: string | null): readonly InboxMessage[] {
  const wanted = part?.trim().toLowerCase() ?? '';
  return messages.filter(
    ({ to }) => wanted === '' || to.some((address) => address.toLowerCase().includes(wanted)),
  );
}

function bodyOf(message: InboxMessage | undefined): Answer {
  if (message === undefined || message.html === null)
    return json(404, { error: 'There is no such mail in HTML.' });
  return send(200, 'text/html', `<base target="_blank">${message.html}`, MAIL_POLICY);
}

function json(status: number, value: unknown): Answer {
  return send(status, 'application/json', JSON.stringify(value), "default-src 'none'");
}

function send(status: number, type: string, body: string, policy: string): Answer {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy };
  return { status, headers: { ...SECURITY_HEADERS, ...headers }, body };
}
