import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ServerCredentials } from '@grpc/grpc-js';
import type { Issue } from '@hearth/security-rules/issue';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { createControlHandler } from './control/handler.ts';
import { importProject } from './export/read-export.ts';
import { createGrpcServer } from './grpc/server.ts';
import { createService } from './grpc/service.ts';
import { createHttpHandler } from './http/handler.ts';
import { Ledger } from './ledger.ts';
import { createSharedPort } from './port.ts';
import { IndexPolicy } from './query/indexes/policy.ts';
import { RequestLog } from './requests/request-log.ts';
import { serveRequests } from './requests/socket.ts';
import { createRestHandler } from './rest/handler.ts';
import { Rulesets } from './rules/rulesets/rulesets.ts';
import { Store } from './store.ts';
import { PRODUCTION_TIMEOUTS } from './transactions/coordinator.ts';
import type { TransactionTimeouts } from './transactions/coordinator.ts';
import { TriggerDispatcher } from './triggers/dispatcher.ts';
import { createWebChannelHandler } from './webchannel/handler.ts';
import { loadServiceDefinition } from './wire/schema.ts';

export interface FirestoreServerOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /**
   * Source of the security rules of every project until others are loaded. Without rules, end users are denied
   * everything.
   */
  readonly rules?: string;
  /** Path of a firestore.indexes.json: queries that need another index are refused as in production. */
  readonly indexes?: string;
  /** Host and port of the functions emulator, which gets document changes for its triggers. */
  readonly functionsEmulator?: string;
  /** Documents to start with: the metadata file of an export, and the project to put them into. */
  readonly seed?: { readonly project: string; readonly metadataFile: string };
  readonly clock?: Clock;
  /**
   * Where the requests of end users can be followed by WebSocket; 0 is a free port. By default nowhere. A port in use
   * is reported on stderr.
   */
  readonly requestsPort?: number;
  /** Milliseconds, over production's. */
  readonly timeouts?: Partial<TransactionTimeouts>;
}

export interface FirestoreServer {
  readonly host: string;
  readonly port: number;
  /** Undefined unless the options ask for it and the port is free. */
  readonly requestsPort: number | undefined;
  /** The issues of the rules in the options. If one is an error, end users are denied everything. */
  readonly rulesIssues: readonly Issue[];
  /** Drops every connection and frees the port. */
  close(): Promise<void>;
}

/**
 * The Firebase CLI may give the port of the requests to two emulators that start at the same time. The second goes
 * without.
 */
function warn(error: unknown): undefined {
  console.error(`The requests cannot be followed: ${String(error)}`);
}

/**
 * Well over the 10 MiB that a commit may write, so that a larger commit gets a clear refusal and not a failure of the
 * transport.
 */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** How long an idle connection stays open over HTTP/1.1. Node's 5 s are too short for a client that is busy. */
const KEEP_ALIVE_MS = 10 * 60_000;

/** Starts a Firestore server in this process. Rejects with the listening error, such as EADDRINUSE. */
export async function startFirestoreServer(options: FirestoreServerOptions = {}): Promise<FirestoreServer> {
  const { host = '127.0.0.1', port = 0, clock = systemClock } = options;
  const store = new Store(clock, { ...PRODUCTION_TIMEOUTS, ...options.timeouts });
  const ledger = new Ledger();
  const indexes = options.indexes === undefined ? undefined : new IndexPolicy(options.indexes);
  const rulesets = new Rulesets(options.rules);
  const requests = options.requestsPort === undefined ? undefined : new RequestLog();
  const context = { store, ledger, indexes, rulesets, requests };
  if (options.seed) await importProject(store, options.seed.project, options.seed.metadataFile);
  const triggers = new TriggerDispatcher(options.functionsEmulator);
  store.observe((database, event) => {
    triggers.handle(database, event);
  });
  const grpc = createGrpcServer({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': -1,
  });
  const definition = loadServiceDefinition();
  grpc.addService(definition, createService(definition, context));
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const http = createHttpServer(
    createHttpHandler({
      rest: createRestHandler(context),
      webChannel: createWebChannelHandler(context, clock),
      control: createControlHandler({ store, ledger, triggers, rulesets }),
    }),
  );
  http.keepAliveTimeout = KEEP_ALIVE_MS;

  const sockets = new Set<Socket>();
  const shared = createSharedPort(
    (socket) => {
      injector.injectConnection(socket);
    },
    (socket) => http.emit('connection', socket),
  );
  shared.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  shared.listen(port, host);
  await once(shared, 'listening');
  const address = shared.address() as AddressInfo;
  const socket = requests && (await serveRequests(requests, host, options.requestsPort ?? 0).catch(warn));

  return {
    host: address.address,
    port: address.port,
    requestsPort: socket?.port,
    rulesIssues: rulesets.startIssues,
    close: async () => {
      const closed = once(shared, 'close');
      shared.close();
      triggers.close();
      injector.destroy();
      grpc.forceShutdown();
      for (const connection of sockets) connection.destroy();
      await Promise.all([closed, socket?.close()]);
    },
  };
}
