import type { Plan } from '@hearth/client';
import { creditsSchema } from '@hearth/shared/documents/credits';
import { collection, doc } from 'firebase/firestore';
import * as z from 'zod/mini';
import { useLiveDocument, useLiveQuery } from '../backend/live.ts';
import type { Live } from '../backend/source.ts';

/** The fields of a one-time purchase that the pages show. */
export const purchaseSchema = z.pipe(
  z.object({
    /** Slug of the plan or credit pack. */
    item: z.string(),
    status: z.string(),
    credits: z.nullable(z.number()),
    createdAt: z._default(z.nullable(z.date()), null),
  }),
  z.transform(({ item, status, credits, createdAt }) => ({
    item,
    isPaid: status === 'paid',
    isPlan: credits === null,
    time: createdAt?.getTime() ?? 0,
  })),
);

type Purchase = z.output<typeof purchaseSchema>;

export const balanceSchema = z.pipe(
  z.pick(creditsSchema, { balance: true }),
  z.transform(({ balance }) => balance),
);

/** The one-time purchases of a user or of a team. */
export function usePurchases(customerId: string): Live<Purchase[]> {
  return useLiveQuery(
    `purchases ${customerId}`,
    (firestore) => collection(firestore, 'customers', customerId, 'purchases'),
    purchaseSchema,
  );
}

/** The best plan that was paid once, of plans from least to most. */
export function ownedPlan(
  plans: readonly Plan[],
  purchases: readonly Pick<Purchase, 'item' | 'isPaid' | 'isPlan'>[],
): Plan | undefined {
  const owned = new Set(purchases.filter(({ isPaid, isPlan }) => isPaid && isPlan).map(({ item }) => item));
  return plans.findLast(({ slug, formerly }) => [slug, ...formerly].some((name) => owned.has(name)));
}

/** Whether the latest purchase is paid. An earlier payment says nothing about the page that somebody returns from. */
export function isLatestPaid(purchases: readonly Pick<Purchase, 'isPaid' | 'time'>[]): boolean {
  return purchases.toSorted((a, b) => a.time - b.time).at(-1)?.isPaid === true;
}

/** The credits that a user or a team has. */
export function useBalance(customerId: string): Live<number | undefined> {
  return useLiveDocument(
    `credits ${customerId}`,
    (firestore) => doc(firestore, 'credits', customerId),
    balanceSchema,
  );
}
