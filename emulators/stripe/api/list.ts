import type { ApiList } from '../objects.ts';
import { InvalidParameter, noSuchReference } from './errors.ts';
import { integer, text } from './parameters/params.ts';

/** The parameters of every list; https://docs.stripe.com/api/pagination. */
export const pageParams = { limit: integer(1, 100), starting_after: text(), ending_before: text() };

interface Page {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

/**
 * One page of a list, newest first.
 * @param rows every object of the kind, in order of creation
 * @param wanted which of them belong to the list; a cursor may also name one that does not
 */
export function page<T extends { id: string }>(
  rows: Iterable<T>,
  wanted: (row: T) => boolean,
  { limit = 10, starting_after: after, ending_before: before }: Page,
  { url, noun }: { url: string; noun: string },
): ApiList<T> {
  if (after !== undefined && before !== undefined) {
    throw new InvalidParameter('Only one of starting_after and ending_before can be given.', 'ending_before');
  }
  const newestFirst = [...rows].reverse();
  const position = (id: string, param: string): number => {
    const index = newestFirst.findIndex((row) => row.id === id);
    if (index < 0) throw noSuchReference(noun, id, param);
    return index;
  };
  const answer = (data: T[], total: number): ApiList<T> => ({
    object: 'list',
    data,
    has_more: total > limit,
    url,
  });

  if (before !== undefined) {
    const newer = newestFirst.slice(0, position(before, 'ending_before')).filter(wanted);
    return answer(newer.slice(-limit), newer.length);
  }
  const rest = after === undefined ? newestFirst : newestFirst.slice(position(after, 'starting_after') + 1);
  const matching = rest.filter(wanted);
  return answer(matching.slice(0, limit), matching.length);
}
