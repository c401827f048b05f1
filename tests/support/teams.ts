import { expect } from 'vitest';
import { adminFirestore, type Person } from './people.ts';
import { call } from './requests.ts';

export interface Invited {
  id: string;
  email: string;
  role: string;
  expiresAt: string;
  acceptUrl: string;
  rejectUrl: string;
}

export async function createTeam(appUrl: string, owner: Person, name = 'Acme'): Promise<string> {
  const response = await call('POST', `${appUrl}/api/auth/teams`, { headers: owner.bearer, json: { name } });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

export async function inviteTo(
  appUrl: string,
  inviter: Person,
  teamId: string,
  email: string,
  role = 'member',
): Promise<Invited> {
  const response = await call('POST', `${appUrl}/api/auth/teams/${teamId}/invitations`, {
    headers: inviter.bearer,
    json: { email, role },
  });
  expect(response.status).toBe(201);
  return (await response.json()) as Invited;
}

/** Sets how many members a team may have, as a plan change does. */
export async function setSeatLimit(teamId: string, seatLimit: number): Promise<void> {
  await adminFirestore().doc(`teams/${teamId}`).update({ seatLimit });
}

export async function membersOf(teamId: string): Promise<{ uid: string; role: string }[]> {
  const members = await adminFirestore().collection(`teams/${teamId}/members`).get();
  return members.docs.map((member) => member.data() as { uid: string; role: string });
}

export async function invitationStatus(id: string): Promise<unknown> {
  return (await adminFirestore().doc(`invitations/${id}`).get()).get('status');
}
