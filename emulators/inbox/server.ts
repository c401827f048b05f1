import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readPlace } from './data/documents.ts';
import { loadPages } from './page.ts';
import { answer, type Contents } from './routes.ts';
import { openMailbox, type Sources } from './sources.ts';

export type { InboxMessage } from './messages.ts';

export interface InboxOptions extends Sources {
  /** 0, the default, takes a free port of 127.0.0.1. */
  port?: number;
}

export interface Inbox {
  url: string;
  close: () => Promise<void>;
}

const LOOK_EVERY_MS = 1000;

/**
 * Starts two pages. One shows the mail of a local stack: what the backend put into `mail/`, and what Firebase Auth
 * would have sent. The other one, at `/data`, shows the documents of Firestore. The server listens on this machine
 * only, and answers no request that a foreign page makes under a name of its own.
 */
export async function startInbox({ port = 0, ...sources }: InboxOptions): Promise<Inbox> {
  const mailbox = openMailbox(sources);
  const contents: Contents = {
    mailbox,
    pages: await loadPages(),
    readPlace: (path, pageToken) => readPlace(sources, path, pageToken),
  };
  const server = createServer((request, response) => {
    void answer(request, contents, isOwnHost(request)).then(({ status, headers, body }) => {
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(() => {
    // Before the stack has started and after it has ended, the emulators do not answer.
    mailbox.look().catch(() => undefined);
  }, LOOK_EVERY_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** False for a host name of somebody else that points to this machine: their pages could read mail and data. */
function isOwnHost({ headers, socket }: IncomingMessage): boolean {
  const port = String(socket.localPort);
  return [`127.0.0.1:${port}`, `localhost:${port}`].includes(headers.host ?? '');
}
