import type * as z from 'zod';

/** One route as the OpenAPI document describes it. Each feature lists its own in `<feature>.openapi.ts`. */
export interface Operation {
  /** Names it in generated clients. */
  id: string;
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** With its parameters in braces: `/api/auth/teams/{teamId}`. */
  path: string;
  /** One sentence, in the third person. */
  summary: string;
  /** Who may ask; whoever is signed in, unless told otherwise. */
  access?: 'public' | 'optional';
  /** Path parameters. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** A JSON body. */
  body?: z.ZodType;
  /** A form with a file in the field `file`. */
  form?: true;
  /** By status. */
  answers: Readonly<Record<number, Answer>>;
  /** Codes by status, beyond those that follow from the rest (see errors.ts). */
  errors?: ErrorCodes;
  /** How errors look; `{ error, code }` unless told otherwise; `page` is that or, for a browser, a page of HTML. */
  errorShape?: 'upload' | 'html' | 'page';
  /** How often it may be asked is limited. */
  limited?: true;
}

export type ErrorCodes = Readonly<Partial<Record<number, readonly string[]>>>;

/** What a route answers when it did what was asked. */
export interface Answer {
  description: string;
  /** Of the JSON body; there is none without. */
  schema?: z.ZodType;
  /** Leads elsewhere by the header `Location`. */
  redirect?: true;
  /** A page of HTML. */
  page?: true;
}

export const json = (description: string, schema: z.ZodType): Answer => ({ description, schema });

export const empty = (description: string): Answer => ({ description });

export const redirect = (description: string): Answer => ({ description, redirect: true });

export const page = (description: string): Answer => ({ description, page: true });

/** The error codes of several tables as one. */
export function merge(...tables: readonly ErrorCodes[]): ErrorCodes {
  const merged: Record<number, string[]> = {};
  for (const [status, codes = []] of tables.flatMap((table) => Object.entries(table))) {
    merged[Number(status)] = [...new Set([...(merged[Number(status)] ?? []), ...codes])];
  }
  return merged;
}

/** Whether a browser navigates to it, and is sent elsewhere. */
export function isLink({ answers }: Operation): boolean {
  return Object.values(answers).every(({ redirect: leadsElsewhere }) => leadsElsewhere === true);
}

/** Whether WRITES_PER_MINUTE applies: to each route of a signed-in user that changes something, but not to signing out. */
export function countsAsWrite(operation: Operation): boolean {
  const { access = 'user', method } = operation;
  return access === 'user' && (method !== 'get' || isLink(operation));
}
