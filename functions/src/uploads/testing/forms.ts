import type { IncomingHttpHeaders } from 'node:http';

export const BOUNDARY = '----hearth7MA4YWxkTrZu0gW';

export interface Part {
  /** Header lines, as sent. */
  headers: readonly string[];
  body?: Buffer | string;
}

export interface Form {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Builds a multipart form byte by byte. Unlike FormData it can build malformed forms. */
export function form(parts: readonly Part[], boundary = BOUNDARY): Form {
  const chunks = parts.flatMap(({ headers, body = '' }) => [
    Buffer.from(`--${boundary}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

export function filePart(filename: string, body: Buffer | string, field = 'file'): Part {
  return disposition(`form-data; name="${field}"; filename="${filename}"`, body);
}

export function fieldPart(name: string, value = 'value'): Part {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], body: value };
}

/** A part with this Content-Disposition and a misleading declared type. */
export function disposition(value: string, body: Buffer | string = 'content'): Part {
  return { headers: [`Content-Disposition: ${value}`, 'Content-Type: text/html'], body };
}
