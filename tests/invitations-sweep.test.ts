import { beforeAll, expect, test } from 'vitest';
import { sweepOutdatedInvitations } from '../functions/src/invitations/purge.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore } from './support/cost.ts';
import { signUp } from './support/people.ts';
import { useResources } from './support/resources.ts';
import { createTeam, invitationStatus, inviteTo } from './support/teams.ts';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // A Firestore of this test: a sweep in the future would delete the invitations of all other tests.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp());
});

test('the sweep deletes invitations that expired 90 days ago, and no others', async () => {
  const owner = await signUp();
  const teamId = await createTeam(app.url, owner);
  const { id } = await inviteTo(app.url, owner, teamId, 'a@example.com');
  const sweepAt = (days: number) =>
    sweepOutdatedInvitations({ ...app.backend, now: () => new Date(Date.now() + days * 86_400_000) });
  expect(await sweepAt(96)).toBe(0);
  expect(await invitationStatus(id)).toBe('pending');
  expect(await sweepAt(98)).toBe(1);
  expect(await invitationStatus(id)).toBeUndefined();
});
