import { invalidArgument } from '../errors.ts';

const DEFAULT_PAGE_SIZE = 300;

export interface PageRequest {
  readonly pageSize?: number;
  readonly pageToken?: string;
}

export interface Page {
  readonly items: readonly string[];
  /** Absent on the last page. */
  readonly nextPageToken?: string;
}

/** The page of sorted items that the request asks for. Throws INVALID_ARGUMENT for an invalid token or size. */
export function pageOf(
  sorted: readonly string[],
  compare: (left: string, right: string) => number,
  request: PageRequest,
): Page {
  const last = decodeToken(request);
  return firstPage(last === undefined ? sorted : sorted.filter((item) => compare(item, last) > 0), request);
}

/** The same for items in any order. The item that the token names must still be among them. */
export function pageAfter(items: readonly string[], request: PageRequest): Page {
  const last = decodeToken(request);
  const index = last === undefined ? -1 : items.indexOf(last);
  if (last !== undefined && index === -1) throw invalidArgument('The page token is no longer valid.');
  return firstPage(items.slice(index + 1), request);
}

function firstPage(rest: readonly string[], { pageSize = 0 }: PageRequest): Page {
  if (pageSize < 0) throw invalidArgument('Page size must be nonnegative.');
  const items = rest.slice(0, pageSize === 0 ? DEFAULT_PAGE_SIZE : pageSize);
  const last = items.at(-1);
  return items.length < rest.length && last !== undefined
    ? { items, nextPageToken: encodeToken(last) }
    : { items };
}

const PREFIX = 'after ';

/** A token names the last item of its page. */
const encodeToken = (last: string): string => Buffer.from(PREFIX + last).toString('base64');

function decodeToken({ pageToken = '' }: PageRequest): string | undefined {
  if (pageToken === '') return undefined;
  const text = Buffer.from(pageToken, 'base64').toString();
  if (!text.startsWith(PREFIX)) throw invalidArgument(`The page token "${pageToken}" is invalid.`);
  return text.slice(PREFIX.length);
}
