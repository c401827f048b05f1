import type { Page, PageOptions } from './types.ts';

/** The query of a paged route. */
export function pageQuery({ limit, cursor }: PageOptions): {
  limit: string | undefined;
  cursor: string | undefined;
} {
  return { limit: limit?.toString(), cursor };
}

/** Yields every item of a list, and requests pages as needed. */
export async function* everyItem<Item>(
  readPage: (options: PageOptions) => Promise<Page<Item>>,
  options: PageOptions = {},
): AsyncGenerator<Item, void> {
  let cursor: string | undefined;
  do {
    const page = await readPage({ ...options, cursor });
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
