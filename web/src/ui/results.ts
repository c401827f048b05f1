import type { Paged } from '../backend/pages.ts';

interface Results {
  /** The name of an item, such as `['member', 'members']`. */
  names: readonly [one: string, many: string];
  /** Whether the list is the result of a search. */
  isSearch: boolean;
  paged: Pick<Paged<unknown>, 'items' | 'before' | 'hasMore'>;
  /** The number of items on all pages, if it is known. */
  total?: number | undefined;
}

/** The number of results in words. Empty until it is known. */
export function resultsText({ names: [one, many], isSearch, paged, total }: Results): string {
  const { items, before, hasMore } = paged;
  if (items.state !== 'ready') return '';
  const count = items.value.length;
  if (isSearch && hasMore) return `The first ${count} ${many} found. Type more to find fewer.`;
  if (isSearch) return count === 0 ? `No ${one} found` : `${count} ${count === 1 ? one : many} found`;
  if (count === 0) return `No ${many}`;
  if (before === 0 && !hasMore) return `${count} ${count === 1 ? one : many}`;
  const range = `${capitalized(many)} ${before + 1} to ${before + count}`;
  return total === undefined ? range : `${range} of ${total}`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
