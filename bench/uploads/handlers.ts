import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Storage } from '@google-cloud/storage';
import busboy from 'busboy';
import type { Request, Response } from 'express';
import multer from 'multer';
import type { Bucket } from '../../functions/src/backend-clients.ts';
import { receiveFile, type ReceivedFile } from '../../functions/src/uploads/api/multipart.ts';
import { createObject } from '../../functions/src/uploads/bucket/storage.ts';
import { dimensionsOf } from '../../functions/src/uploads/files/dimensions.ts';
import {
  validateBytes,
  validateDeclaredFile,
  type NameAndKind,
} from '../../functions/src/uploads/files/validate.ts';

interface FormRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Handles one request in the way that is measured. */
export type Handler = (request: FormRequest) => Promise<unknown>;

const MAX_BYTES = 31 * 1024 * 1024;

const bareBusboy: Handler = ({ headers, body }) =>
  new Promise((resolve, reject) => {
    const parser = busboy({ headers });
    parser.on('file', (_field, stream) => stream.resume());
    parser.on('close', resolve);
    parser.on('error', reject);
    parser.end(body);
  });

async function receive({
  headers,
  body,
}: FormRequest): Promise<{ file: ReceivedFile; declaration: NameAndKind }> {
  const file = await receiveFile(headers, body, MAX_BYTES);
  const declaration = validateDeclaredFile({ ...file, size: file.bytes.length }, { uploadMedia: false });
  await validateBytes(file.bytes, declaration);
  await dimensionsOf(file.bytes, declaration.kind);
  return { file, declaration };
}

function receiveAndStore(storageUrl: string): Handler {
  const storage = new Storage({ apiEndpoint: storageUrl, projectId: 'demo-bench' });
  // The Admin SDK's types name the CommonJS build of the same package.
  const bucket = storage.bucket('bench') as unknown as Bucket;
  let count = 0;
  return async (request) => {
    const { file, declaration } = await receive(request);
    return createObject(bucket, {
      path: `uploads/ada/${count++}/a.pdf`,
      bytes: file.bytes,
      ownerId: 'ada',
      name: file.name,
      contentType: declaration.kind.contentType,
      disposition: declaration.kind.disposition,
      visibility: 'public',
    });
  };
}

function multerInMemory(): Handler {
  const parse = multer({ storage: multer.memoryStorage() }).single('file');
  return ({ headers, body }) =>
    new Promise((resolve, reject) => {
      // In chunks, as bytes arrive from a socket.
      const chunks = Array.from({ length: Math.ceil(body.length / 65_536) }, (_, index) =>
        body.subarray(index * 65_536, (index + 1) * 65_536),
      );
      const request = Object.assign(Readable.from(chunks), { headers, method: 'POST' });
      // It looks at nothing else of them.
      parse(request as unknown as Request, undefined as unknown as Response, (error?: unknown) => {
        if (error instanceof Error) reject(error);
        else resolve(undefined);
      });
    });
}

/** The handlers by their names in the table. Each is created with the URL of a Storage. */
export const HANDLERS = {
  'bare busboy': () => bareBusboy,
  'received and validated': () => receive,
  'a text received and validated': () => receive,
  'received, validated and stored': receiveAndStore,
  'multer in memory': multerInMemory,
} as const satisfies Record<string, (storageUrl: string) => Handler>;

export type HandlerName = keyof typeof HANDLERS;
