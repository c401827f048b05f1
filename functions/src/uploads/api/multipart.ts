import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Busboy, FileInfo } from 'busboy';
import { refusal } from '../../refusals/refusals.ts';

export interface ReceivedFile {
  /** The sender's file name, not cleaned. */
  name: string;
  /** The media type that the sender declared, or the default of the form. */
  declaredType: string;
  bytes: Buffer;
}

const FIELD = 'file';

/** A form may have a few fields beside the file. They are ignored. */
const MAX_PARTS = 20;

/** A boundary has 70 characters at most. https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 */
const LONG_BOUNDARY = /boundary="?[^";]{71}/i;

const noFile = () => refusal('no_file');
const malformed = () => refusal('malformed_form');

/**
 * Reads the one file out of a multipart form.
 *
 * @param body from `receiveBody`, which refuses a content encoding
 * @param maxBytes `UPLOAD_MAX_BYTES`
 * @throws Refusal `no_file`, `malformed_form`, `too_many_parts`, `file_too_large`, or `body_type_not_form` for a body
 *   that is not multipart
 */
export async function receiveFile(
  headers: IncomingHttpHeaders,
  body: Buffer | undefined,
  maxBytes: number,
): Promise<ReceivedFile> {
  if (body === undefined || body.length === 0) throw noFile();
  const contentType = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw refusal('body_type_not_form');
  }
  if (LONG_BOUNDARY.test(contentType)) throw malformed();
  return parse(headers, body, maxBytes);
}

async function createParser(headers: IncomingHttpHeaders, maxBytes: number): Promise<Busboy> {
  const { default: busboy } = await import('busboy');
  try {
    return busboy({
      headers,
      defParamCharset: 'utf8',
      limits: {
        // The parser also marks a file as truncated if its size is exactly `fileSize`. With one byte more, a file of
        // `maxBytes` is accepted.
        fileSize: maxBytes + 1,
        files: 1,
        fields: MAX_PARTS,
        parts: MAX_PARTS,
      },
    });
  } catch {
    throw malformed();
  }
}

async function parse(headers: IncomingHttpHeaders, body: Buffer, maxBytes: number): Promise<ReceivedFile> {
  const parser = await createParser(headers, maxBytes);
  // The first failure settles the promise, and later events change nothing. Without a failure the parser sends `file`,
  // then `close`, which settles the promise with the file.
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error);
      // Without a listener, the parser skips further files.
      parser.removeAllListeners('file');
    };
    let received: Promise<ReceivedFile> | undefined;
    parser.on('file', (field: string, stream: Readable & { truncated?: boolean }, info: FileInfo) => {
      // A truncated body makes this stream fail. Without a listener the error would end the process.
      stream.on('error', () => {
        fail(malformed());
      });
      if (field !== FIELD || !info.filename) {
        stream.resume();
        fail(noFile());
        return;
      }
      received = collect(stream, info.filename, info.mimeType, maxBytes);
      // Without waiting for `close`.
      received.catch(fail);
    });
    parser.on('error', () => {
      fail(malformed());
    });
    for (const limit of ['filesLimit', 'partsLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => {
        fail(refusal('too_many_parts'));
      });
    }
    parser.on('close', () => {
      if (received === undefined) fail(noFile());
      else received.then(resolve, reject);
    });
    parser.end(body);
  });
}

async function collect(
  stream: Readable & { truncated?: boolean },
  name: string,
  declaredType: string,
  maxBytes: number,
): Promise<ReceivedFile> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  if (stream.truncated === true) {
    throw refusal('file_too_large', { size: maxBytes });
  }
  // A single chunk is a view of the body, so its bytes need not be copied.
  const [only] = chunks;
  const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
  return { name, declaredType, bytes };
}
