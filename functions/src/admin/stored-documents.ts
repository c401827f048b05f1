/** Maximum number of documents in each list of a description. */
const MAX_LISTED = 20;

interface Listed<Doc> {
  limit: (count: number) => { findIntact: () => Promise<{ id: string; data: Doc }[]> };
}

/** The first documents of a query with their ids, without those fields that are secrets. */
export async function listFirst<Doc extends object>(
  query: Listed<Doc>,
  secrets: readonly (keyof Doc & string)[] = [],
): Promise<Record<string, unknown>[]> {
  const found = await query.limit(MAX_LISTED).findIntact();
  return found.map(({ id, data }) => ({ id, ...withoutFields(data, secrets) }));
}

/** Leaves out fields that are secrets, or that say nothing to an operator. */
export function withoutFields<Doc extends object>(
  data: Doc,
  names: readonly (keyof Doc & string)[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !names.some((one) => one === name)));
}
