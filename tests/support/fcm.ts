import { once } from 'node:events';
import http2, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getMessaging, type Messaging } from 'firebase-admin/messaging';
import { vi } from 'vitest';
import { adminAuth } from './people.ts';

const FCM = 'https://fcm.googleapis.com';

/** A message as it was sent to one device. */
export interface SentMessage {
  token: string;
  notification: { title: string; body: string };
  data: Record<string, string>;
  android: object;
  apns: object;
  webpush: object;
}

/** An answer of Firebase Cloud Messaging that is an error. */
export interface FcmFault {
  status: number;
  errorCode: string;
  message: string;
  /** True for an error of Google's front end about the caller, which has no code of Firebase Cloud Messaging. */
  isAboutCaller?: boolean;
}

/** https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode */
export const FCM_FAULTS = {
  unregistered: { status: 404, errorCode: 'UNREGISTERED', message: 'Requested entity was not found.' },
  malformed: {
    status: 400,
    errorCode: 'INVALID_ARGUMENT',
    message: 'The registration token is not a valid FCM registration token',
  },
  otherProject: { status: 403, errorCode: 'SENDER_ID_MISMATCH', message: 'SenderId mismatch' },
  withoutAppleKey: { status: 401, errorCode: 'THIRD_PARTY_AUTH_ERROR', message: 'Auth error from APNS' },
  withoutRole: {
    status: 403,
    errorCode: 'PERMISSION_DENIED',
    message: "Permission 'cloudmessaging.messages.create' denied on resource 'projects/demo-push'.",
    isAboutCaller: true,
  },
  withoutCredentials: {
    status: 401,
    errorCode: 'UNAUTHENTICATED',
    message: 'Request had invalid authentication credentials.',
    isAboutCaller: true,
  },
  unknownProject: {
    status: 404,
    errorCode: 'NOT_FOUND',
    message: 'Requested entity was not found.',
    isAboutCaller: true,
  },
  broken: { status: 500, errorCode: 'INTERNAL', message: 'Internal error encountered.' },
} satisfies Readonly<Record<string, FcmFault>>;

/** A server that answers as fcm.googleapis.com does, and the real client, whose connections lead to it. */
export interface FakeFcm extends AsyncDisposable {
  messaging: () => Promise<Messaging>;
  /** The messages that were accepted. */
  sent: SentMessage[];
  /** Errors by token. */
  faults: Map<string, FcmFault>;
}

export async function startFcm(): Promise<FakeFcm> {
  const sent: SentMessage[] = [];
  const faults = new Map<string, FcmFault>();
  const server = http2.createServer();
  server.on('stream', (stream, headers) => {
    void text(stream).then((body) => {
      const answer = answerTo(headers, body);
      stream.respond({ ':status': answer.status, 'content-type': 'application/json; charset=UTF-8' });
      stream.end(JSON.stringify(answer.body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connect = http2.connect;
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The client has no setting for its host.
  const redirected = vi.spyOn(http2, 'connect').mockImplementation((host, ...options) => {
    if (String(host) !== FCM) return connect(host, ...options);
    const session = connect(local);
    const request = session.request.bind(session);
    // The client sends the scheme `https:`. Google's servers accept the colon, and those of Node.js do not.
    session.request = (headers, ...rest) =>
      request({ ...(headers as OutgoingHttpHeaders), ':scheme': 'http' }, ...rest);
    return session;
  });
  // Other code takes the first app for the default one.
  adminAuth();
  const credential = { getAccessToken: () => Promise.resolve({ access_token: 'push', expires_in: 3600 }) };
  const app = initializeApp({ projectId: 'demo-push', credential }, `push-${local}`);
  return {
    messaging: () => Promise.resolve(getMessaging(app)),
    sent,
    faults,
    [Symbol.asyncDispose]: async () => {
      redirected.mockRestore();
      await deleteApp(app);
      server.close();
    },
  };

  function answerTo(headers: IncomingHttpHeaders, body: string): { status: number; body: object } {
    if (
      headers[':path'] !== '/v1/projects/demo-push/messages:send' ||
      headers.authorization !== 'Bearer push'
    ) {
      return {
        status: 401,
        body: { error: { code: 401, message: 'Unauthenticated', status: 'UNAUTHENTICATED' } },
      };
    }
    const { message } = JSON.parse(body) as { message: SentMessage };
    const fault = faults.get(message.token);
    if (fault !== undefined) return { status: fault.status, body: errorOf(fault) };
    sent.push(message);
    return { status: 200, body: { name: `projects/demo-push/messages/${sent.length}` } };
  }
}

function errorOf({ status, errorCode, message, isAboutCaller = false }: FcmFault): object {
  const detail = isAboutCaller
    ? { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: errorCode, domain: 'googleapis.com' }
    : { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode };
  return { error: { code: status, message, status: errorCode, details: [detail] } };
}
