import type { Plan } from '@hearth/client';
import { formatBytes } from '../format.ts';
import { LOCALE } from '../texts/language.ts';
import { billingTexts } from './texts.ts';

/** The value of a plan in a row: a text, or whether the plan includes it. */
export type Cell = string | boolean;

/** A row of the comparison of plans: a limit or entitlement, and its value in each plan. */
export interface Row {
  label: string;
  cells: Cell[];
}

type Compared = Pick<Plan, 'limits' | 'entitlements'>;

const MEGABYTE = 1_000_000;

/** The limits that every plan has. */
const LIMITS: readonly (readonly [
  label: 'seats' | 'storage' | 'fileSize',
  cellOf: (plan: Compared) => Cell,
])[] = [
  ['seats', ({ limits }) => number(limits.seats)],
  ['storage', ({ limits }) => formatBytes(limits.storageMegabytes * MEGABYTE)],
  ['fileSize', ({ limits }) => formatBytes(limits.fileMegabytes * MEGABYTE)],
];

const COMMON = new Set(['seats', 'storageMegabytes', 'fileMegabytes']);

/**
 * The rows of a comparison: the limits of the service, the limits that the app has added, and all entitlements of the
 * plans.
 *
 * @param hasSeats false for a person, whose own plan gives their teams no seats
 */
export function comparisonOf(plans: readonly Compared[], hasSeats = true): Row[] {
  const texts = billingTexts().comparison;
  const limits = hasSeats ? LIMITS : LIMITS.slice(1);
  const own = unique(plans.flatMap(({ limits }) => Object.keys(limits))).filter((name) => !COMMON.has(name));
  const included = unique(plans.flatMap(({ entitlements }) => entitlements));
  return [
    ...limits.map(([label, cellOf]) => ({ label: texts[label], cells: plans.map(cellOf) })),
    ...own.map((name) => ({ label: labelOf(name), cells: plans.map(({ limits }) => cellOf(limits[name])) })),
    ...included.map((name) => ({
      label: labelOf(name),
      cells: plans.map(({ entitlements }) => entitlements.includes(name)),
    })),
  ];
}

const unique = (names: readonly string[]) => [...new Set(names)];

function cellOf(limit: number | string | boolean | undefined): Cell {
  return typeof limit === 'number' ? number(limit) : (limit ?? false);
}

const number = (value: number) => value.toLocaleString(LOCALE);

/** The words of a name in code, such as `prioritySupport` or `priority-support`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/[-_\s]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
