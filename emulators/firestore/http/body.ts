import type { IncomingMessage } from 'node:http';
import { invalidArgument } from '../errors.ts';

/** Production accepts 10 MiB of writes. JSON and base64 need more room than the binary messages. */
const MAX_BODY_BYTES = 22 * 1024 * 1024;

/** The body as text. Rejects with INVALID_ARGUMENT when it is too large. */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      throw invalidArgument(`Request payload size exceeds the limit: ${MAX_BODY_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Null for an empty text. Throws INVALID_ARGUMENT for text that is not JSON. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidArgument('Invalid JSON payload received. The text is no JSON.');
  }
}
