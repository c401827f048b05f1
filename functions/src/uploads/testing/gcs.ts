import { hash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Storage } from '@google-cloud/storage';
import { onTestFinished } from 'vitest';
import type { Bucket } from '../../backend-clients.ts';

export interface StorageRequest {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Handles a request to Storage. The request hangs if the handler does not respond. */
export type AnswerStorage = (request: StorageRequest, response: ServerResponse) => unknown;

/**
 * Starts a server that answers the real Storage client as the test wants.
 *
 * @param options `retries` if the client repeats a failed call, as it does in the backend
 * @returns the client's bucket, and all requests that arrive
 */
export async function bucketOn(
  answer: AnswerStorage,
  { retries = false }: { retries?: boolean } = {},
): Promise<{ bucket: Bucket; requests: StorageRequest[] }> {
  const requests: StorageRequest[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request;
    const received = { method, url: new URL(url, 'http://storage'), headers, body: await buffer(request) };
    requests.push(received);
    await answer(received, response);
  };
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const apiEndpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const storage = new Storage({ apiEndpoint, projectId: 'demo-test', retryOptions: { autoRetry: retries } });
  // STORAGE_EMULATOR_HOST would take precedence for requests other than uploads.
  storage.baseUrl = `${apiEndpoint}/storage/v1`;
  // The Admin SDK's types name the CommonJS build of the same package.
  return { bucket: storage.bucket('demo-test.appspot.com') as unknown as Bucket, requests };
}

/** The two parts of an upload: the metadata of the object, and its bytes. */
export function parseUpload({ headers, body }: StorageRequest): { metadata: unknown; bytes: Buffer } {
  const boundary = /boundary=([^;]+)/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const [, metadata = '', content = ''] = body.toString('latin1').split(`--${boundary}`);
  const payload = (part: string) => part.slice(part.indexOf('\r\n\r\n') + 4, -2);
  return {
    metadata: JSON.parse(Buffer.from(payload(metadata), 'latin1').toString()) as unknown,
    bytes: Buffer.from(payload(content), 'latin1'),
  };
}

/** The object that an upload stores, with the checksum of the bytes. */
export function resourceOf(request: StorageRequest) {
  const md5Hash = hash('md5', parseUpload(request).bytes, 'base64');
  return { name: request.url.searchParams.get('name'), generation: '1', md5Hash };
}

export function stored(request: StorageRequest): string {
  return JSON.stringify(resourceOf(request));
}
