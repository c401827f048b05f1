import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type * as z from 'zod';
import { sendPage } from './pages/html.ts';

/** The descriptions of response headers, by the name of the header. */
type HeaderTexts = Readonly<Record<string, string>>;

export interface JsonAnswer<Schema extends z.ZodType = z.ZodType> {
  readonly kind: 'json';
  readonly description: string;
  readonly schema: Schema;
  readonly headers?: HeaderTexts;
}

export interface DownloadAnswer {
  readonly kind: 'download';
  readonly description: string;
  readonly schema: z.ZodType;
}

export interface EmptyAnswer {
  readonly kind: 'empty';
  readonly description: string;
}

export interface RedirectAnswer {
  readonly kind: 'redirect';
  readonly description: string;
}

export interface PageAnswer {
  readonly kind: 'page';
  readonly description: string;
}

/** The answer to a successful request, as a route declares it. */
export type Answer = JsonAnswer | DownloadAnswer | EmptyAnswer | RedirectAnswer | PageAnswer;

/** The answers of a route by status. */
export type AnswerTable = Readonly<Record<number, Answer>>;

export const json = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  headers?: HeaderTexts,
): JsonAnswer<Schema> => ({ kind: 'json', description, schema, ...(headers && { headers }) });

/** JSON that is streamed and offered as a download. */
export const jsonDownload = (description: string, schema: z.ZodType): DownloadAnswer => ({
  kind: 'download',
  description,
  schema,
});

export const empty = (description: string): EmptyAnswer => ({ kind: 'empty', description });

export const redirect = (description: string): RedirectAnswer => ({ kind: 'redirect', description });

export const htmlPage = (description: string): PageAnswer => ({ kind: 'page', description });

type ContentOf<A extends Answer> =
  A extends JsonAnswer<infer Schema>
    ? { body: z.output<Schema>; headers?: Readonly<Record<string, string>> }
    : A extends DownloadAnswer
      ? { fileName: string; text: AsyncIterable<string> }
      : A extends RedirectAnswer
        ? { location: string }
        : A extends PageAnswer
          ? { html: string }
          : object;

/** The result of a handler: a declared status with its content. */
export type ResultOf<Answers extends AnswerTable> = {
  [Status in keyof Answers & number]: { status: Status } & ContentOf<Answers[Status]>;
}[keyof Answers & number];

export interface HandlerResult {
  status: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  fileName?: string;
  text?: AsyncIterable<string>;
  location?: string;
  html?: string;
}

export async function send(response: Response, result: HandlerResult): Promise<void> {
  const { status, headers = {}, location, html, text, fileName = '' } = result;
  response.status(status).set(headers);
  if (location !== undefined) response.redirect(status, location);
  else if (html !== undefined) sendPage(response, html);
  else if (text !== undefined) {
    response.type('json').attachment(fileName);
    await pipeline(Readable.from(text), response);
  } else if ('body' in result) response.json(result.body);
  else response.end();
}
