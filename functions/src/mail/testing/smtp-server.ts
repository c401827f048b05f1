import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A reply for the server to give, such as 550. */
export class Reply extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message = 'requested by a test') {
    super(message);
    this.responseCode = responseCode;
  }
}

type MessageFault = Reply | 'drop' | undefined;

/**
 * Faults to inject. The server calls a function when a client reaches its point. Without faults the server accepts all
 * mail.
 */
export interface Faults {
  connect?: (() => Reply | undefined) | undefined;
  logIn?: ((user: string, pass: string) => Reply | undefined) | undefined;
  sender?: (() => Reply | undefined) | undefined;
  /** `drop` ends the connection without a reply. */
  recipient?: ((address: string) => Reply | 'drop' | undefined) | undefined;
  /** Called after a complete message has arrived. */
  message?: (() => MessageFault | Promise<MessageFault>) | undefined;
}

export interface TestSmtpServer extends AsyncDisposable {
  url: string;
  port: number;
  /** Every complete message that arrived, whatever the server replied. */
  messages: { to: string[]; raw: string }[];
  faults: Faults;
}

/** A real SMTP server on a free port of this machine. */
export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const sockets: Socket[] = [];
  const messages: TestSmtpServer['messages'] = [];
  const faults: Faults = {};
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = new SMTPServer({
    authOptional: true,
    // Milliseconds that connections may stay open after the server is closed.
    closeTimeout: 100,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    ...behaviorOf(faults, messages, dropAll),
    ...options,
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => sockets.push(socket));
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    messages,
    faults,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(resolve);
      }),
  };
}

function behaviorOf(
  faults: Faults,
  messages: TestSmtpServer['messages'],
  dropAll: () => void,
): SMTPServerOptions {
  return {
    onConnect: (_session, done) => {
      done(faults.connect?.());
    },
    onAuth: ({ username, password }, _session, done) => {
      const user = username ?? '';
      const refusal = faults.logIn?.(user, password ?? '');
      if (refusal === undefined) done(null, { user });
      else done(refusal);
    },
    onMailFrom: (_address, _session, done) => {
      done(faults.sender?.());
    },
    onRcptTo: ({ address }, _session, done) => {
      const fault = faults.recipient?.(address);
      if (fault === 'drop') dropAll();
      else done(fault);
    },
    onData: (stream, { envelope }, done) => {
      void text(stream).then(async (raw) => {
        messages.push({ to: envelope.rcptTo.map(({ address }) => address), raw });
        const fault = await faults.message?.();
        if (fault === 'drop') dropAll();
        else done(fault);
      });
    },
  };
}
