import { expect, test } from 'vitest';
import { FEATURE_HOOKS } from '../functions/src/feature-hooks/registry.ts';
import { useInvitations } from './support/invitations.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { errorOf } from './support/requests.ts';
import { addMember, inviteTo } from './support/teams.ts';

/** Firestore fails for the invitations that one transaction has left. Here the transaction leaves all. */
const featureHooks = {
  ...FEATURE_HOOKS,
  endGivenRights: () => Promise.resolve(false),
  endRemainingRights: () => Promise.reject(new Error('down')),
};
const service = useInvitations({ backend: { featureHooks } });

test('invitations of a removed sender that stay pending cannot be accepted, and end by themselves', async () => {
  const { owner } = service;
  const teamId = await service.newTeam(4);
  const [sender, guest] = await Promise.all([signUp(), signUp()]);
  await addMember(teamId, sender, 'admin');
  const first = await inviteTo(service.url, sender, teamId, guest.email);
  const second = await inviteTo(service.url, sender, teamId, 'second@example.com');
  expect((await service.ask('DELETE', owner, `teams/${teamId}/members/${sender.uid}`)).status).toBe(204);

  expect(await errorOf(await service.ask('POST', guest, `invitations/${first.id}/accept`))).toMatchObject({
    status: 410,
    code: 'invitation_cancelled',
  });
  const invite = (email: string) =>
    service.ask('POST', owner, `teams/${teamId}/invitations`, { email, role: 'member' });
  expect((await invite('third@example.com')).status).toBe(201);
  expect(await errorOf(await invite('fourth@example.com'))).toMatchObject({ code: 'no_seat' });
  // An owner can end one.
  expect((await service.ask('DELETE', owner, `teams/${teamId}/invitations/${first.id}`)).status).toBe(204);
  expect((await invite('fourth@example.com')).status).toBe(201);
  // The other one ends when it expires.
  expect(await errorOf(await invite('fifth@example.com'))).toMatchObject({ code: 'no_seat' });
  await adminFirestore()
    .doc(`invitations/${second.id}`)
    .update({ expiresAt: new Date(0) });
  expect((await invite('fifth@example.com')).status).toBe(201);
});
