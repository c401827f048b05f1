import { LOCALE } from '../texts/language.ts';
import type { FileDocument } from './queries.ts';

export const ORDERS = ['newest', 'name', 'size'] as const;

export type Order = (typeof ORDERS)[number];

const COMPARE: Readonly<Record<Order, (one: FileDocument, other: FileDocument) => number>> = {
  newest: (one, other) => other.createdAt.getTime() - one.createdAt.getTime(),
  name: (one, other) => one.name.localeCompare(other.name, LOCALE, { numeric: true }),
  size: (one, other) => other.size - one.size,
};

/** The files whose names contain a text, in an order. */
export function arranged(files: readonly FileDocument[], text: string, order: Order): FileDocument[] {
  const wanted = text.trim().toLowerCase();
  return files.filter(({ name }) => name.toLowerCase().includes(wanted)).sort(COMPARE[order]);
}
