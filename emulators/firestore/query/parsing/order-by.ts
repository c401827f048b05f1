import { invalidArgument } from '../../errors.ts';
import { formatFieldPath, parseFieldPath } from '../../model/field-path.ts';
import type { WireOrder } from '../../wire/messages.ts';

const ORDER = /^\s*((?:`(?:[^`\\]|\\.)+`|[^\s,`])+)(?:\s+(asc|desc))?\s*(?:,|$)/i;

/** Reads the order of a listing, such as `priority desc, __name__`. Throws INVALID_ARGUMENT. */
export function parseOrderBy(text: string): WireOrder[] {
  const orders: WireOrder[] = [];
  for (let rest = text; rest.trim() !== '';) {
    const match = ORDER.exec(rest);
    if (match?.[1] === undefined) throw invalidArgument(`Invalid order_by "${text}".`);
    const fieldPath = formatFieldPath(parseFieldPath(match[1]));
    const direction = match[2]?.toLowerCase() === 'desc' ? 'DESCENDING' : 'ASCENDING';
    orders.push({ field: { fieldPath }, direction });
    rest = rest.slice(match[0].length);
  }
  return orders;
}
