import type { Backend } from '../backend.ts';
import { COMP_ID } from '../billing/grants/comp.service.ts';
import { listFirst, withoutFields } from './stored-documents.ts';

/** The part of a description that users and teams share: money and files. */
export async function describeBillingAndFiles({ db }: Backend, id: string) {
  const [customer, comp, credits, usage, subscriptions, purchases, uploads] = await Promise.all([
    db.customers.getIntact(id),
    db.subscriptions(id).getIntact(COMP_ID),
    db.credits.getIntact(id),
    db.storageUsage.getIntact(id),
    listFirst(db.subscriptions(id)),
    listFirst(db.purchases(id)),
    listFirst(db.uploads.where('ownerId', '==', id)),
  ]);
  return {
    comp: comp?.role && comp.grace_until ? { plan: comp.role, until: comp.grace_until.toISOString() } : null,
    customer: customer === undefined ? null : withoutFields(customer, ['creationKey', 'creationKeyAt']),
    credits: credits ?? null,
    usage: usage ?? null,
    subscriptions,
    purchases,
    uploads,
  };
}
