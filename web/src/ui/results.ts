import type { Paged } from '../backend/pages.ts';
import type { Names } from '../texts/en/ui.tsx';
import { uiTexts } from './texts.ts';

interface Results {
  names: Names;
  /** Whether the list is the result of a search. */
  isSearch: boolean;
  paged: Pick<Paged<unknown>, 'items' | 'before' | 'hasMore'>;
  /** The number of items on all pages, if it is known. */
  total?: number | undefined;
}

/** The number of results in words. Empty until it is known. */
export function resultsText({ names, isSearch, paged, total }: Results): string {
  const { items, before, hasMore } = paged;
  if (items.state !== 'ready') return '';
  const texts = uiTexts();
  const count = items.value.length;
  if (isSearch && hasMore) return texts.firstFound(count, names);
  if (isSearch) return texts.found(count, names);
  if (count === 0 || (before === 0 && !hasMore)) return texts.all(count, names);
  const last = before + count;
  return total === undefined
    ? texts.range(before + 1, last, names)
    : texts.rangeOf(before + 1, last, total, names);
}
