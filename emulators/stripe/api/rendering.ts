import { randomUUID } from 'node:crypto';
import type { ApiList } from '../objects.ts';

/** Properties whose URL has another token in each answer. https://docs.stripe.com/invoicing/hosted-invoice-page */
const RENDERED_ANEW: readonly string[] = ['hosted_invoice_url', 'invoice_pdf'];

/** An object has at most this many rows of a list of its own. The URL of the list has all. */
const MOST_EMBEDDED = 10;

/**
 * Writes an answer as JSON. As at Stripe, the URLs of an invoice differ in each answer, and lead to the same page.
 * Lists of lines are cut.
 */
export function toJson(answer: object): string {
  return JSON.stringify(answer, (name, value: unknown) =>
    RENDERED_ANEW.includes(name) && typeof value === 'string'
      ? `${value}?s=${randomUUID()}`
      : withFirstLines(name, value),
  );
}

/** Writes an event as JSON. Lists of lines are cut, as in an answer. */
export function eventToJson(event: object): string {
  return JSON.stringify(event, withFirstLines, 2);
}

/** The lines of an invoice or a credit note are in the state completely. */
function withFirstLines(name: string, value: unknown): unknown {
  return name === 'lines' && isList(value) ? embeddedList(value.data, value.url) : value;
}

function isList(value: unknown): value is ApiList<unknown> {
  return typeof value === 'object' && value !== null && 'object' in value && value.object === 'list';
}

/** A list as a property of an object: the first rows, and where all are. https://docs.stripe.com/api/pagination */
export function embeddedList<T>(rows: readonly T[], url: string): ApiList<T> {
  return {
    object: 'list',
    data: rows.slice(0, MOST_EMBEDDED),
    has_more: rows.length > MOST_EMBEDDED,
    url,
  };
}
