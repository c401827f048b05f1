import type { Backend } from '../backend.ts';
import { COMP_ID } from '../billing/grants/comp.service.ts';
import { listFirst, withoutFields } from './stored-documents.ts';

/** The part of a description that users and teams share: money and files. */
export async function describeBillingAndFiles({ db }: Backend, id: string) {
  const [customers, comps, credits, usage, subscriptions, purchases, uploads] = await Promise.all([
    db.customers.getAllIntact([id]),
    db.subscriptions(id).getAllIntact([COMP_ID]),
    db.credits.getAllIntact([id]),
    db.storageUsage.getAllIntact([id]),
    listFirst(db.subscriptions(id)),
    listFirst(db.purchases(id)),
    listFirst(db.uploads.where('ownerId', '==', id)),
  ]);
  const [customer, comp] = [customers.get(id), comps.get(COMP_ID)];
  return {
    comp: comp?.role && comp.grace_until ? { plan: comp.role, until: comp.grace_until.toISOString() } : null,
    customer: customer === undefined ? null : withoutFields(customer, ['creationKey', 'creationKeyAt']),
    credits: credits.get(id) ?? null,
    usage: usage.get(id) ?? null,
    subscriptions,
    purchases,
    uploads,
  };
}
