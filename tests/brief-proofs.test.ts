import { beforeAll, expect, test } from 'vitest';
import { compPlan, endComp } from '../functions/src/billing/grants/comp.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { watchNetwork, type Network } from './support/network.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { useResources } from './support/resources.ts';

/** A commit whose answer is lost, and whose trigger has deleted a new document before the client tries again. */

let network: Network;
let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  network = resources.use(await watchNetwork());
  app = resources.use(await serveApp());
});

/** The trigger delivers the changes of plan of a customer. */
async function deliverChanges(customerId: string): Promise<void> {
  const changes = adminFirestore().collection('planChanges').where('customerId', '==', customerId);
  for (const { ref } of (await changes.get()).docs) await ref.delete();
}

test('the end of a granted plan is found by its audit entry although the change of plan was delivered', async () => {
  const { uid } = await signUp();
  const comp = { planSlug: 'pro', until: new Date(Date.now() + 86_400_000) };
  const customer = { customerId: uid, type: 'user', email: null, name: null } as const;
  await compPlan(app.backend, customer, comp, () => undefined);
  await deliverChanges(uid);
  let commits = 0;
  let delivery: Promise<void> | undefined;
  network.losesAnswer = (method) => method === 'Commit' && ++commits === 1;
  // The first read of the next attempt comes after the delivery of the change of plan.
  network.firestore = async (method) => {
    if (method === 'BatchGetDocuments' && commits > 0) await (delivery ??= deliverChanges(uid));
    return true;
  };
  const entry = { teamId: '', actorId: 'cli:ada', action: 'admin.plan_taken', target: uid } as const;
  const hasEnded = await endComp(app.backend, uid, (tx) => {
    tx.audit.record({ ...entry, at: new Date() });
  });
  network.losesAnswer = () => false;
  network.firestore = () => Promise.resolve(true);
  expect([commits > 1, hasEnded]).toEqual([true, true]);
  const entries = await adminFirestore().collection('auditLog').where('target', '==', uid).get();
  expect(entries.docs.filter((found) => found.get('action') === entry.action)).toHaveLength(1);
});
