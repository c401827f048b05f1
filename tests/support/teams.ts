import { expect, inject } from 'vitest';
import { SAMPLE_PLANS } from '../../functions/src/testing/sample-plans.ts';
import { adminFirestore, signUp, type Person } from './people.ts';
import { call } from './requests.ts';

export interface Invited {
  id: string;
  email: string;
  role: string;
  expiresAt: string;
  acceptUrl: string;
  rejectUrl: string;
}

/**
 * Creates a team. On the running stack it gets the seats of the sample plans, because the plans of the project may have
 * fewer.
 */
export async function createTeam(appUrl: string, owner: Person, name = 'Acme'): Promise<string> {
  const response = await call('POST', `${appUrl}/api/auth/teams`, { headers: owner.bearer, json: { name } });
  expect(response.status).toBe(201);
  const { id } = (await response.json()) as { id: string };
  if (Object.values(inject('stack').urls).includes(appUrl)) await setSampleSeats(id);
  return id;
}

/** Gives a team the seats of the free sample plan. */
export async function setSampleSeats(teamId: string): Promise<void> {
  await setSeatLimit(teamId, SAMPLE_PLANS[0].limits.seats);
}

export async function inviteTo(
  appUrl: string,
  sender: Person,
  teamId: string,
  email: string,
  role = 'member',
): Promise<Invited> {
  const response = await call('POST', `${appUrl}/api/auth/teams/${teamId}/invitations`, {
    headers: sender.bearer,
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

/** Adds a member, as if they had accepted an invitation long ago. */
export async function addMember(teamId: string, person: Person, role: string): Promise<void> {
  const { uid, email } = person;
  await adminFirestore()
    .doc(`teams/${teamId}/members/${uid}`)
    .create({ uid, role, email, displayName: null, joinedAt: new Date() });
}

/** Gives a member a role without the API, because the API makes members owners only with their consent. */
export async function setRole(teamId: string, { uid }: Person, role: string): Promise<void> {
  await adminFirestore().doc(`teams/${teamId}/members/${uid}`).update({ role });
}

/** Stores an open offer of a team, as the API does. */
export async function offerTo(teamId: string, from: Person, to: Person, change: object = {}): Promise<void> {
  const now = Date.now();
  const times = { offeredAt: new Date(now), expiresAt: new Date(now + 86_400_000) };
  const transfer = { from: from.uid, to: to.uid, coOwner: false, ...times, ...change };
  await adminFirestore().doc(`teams/${teamId}`).update({ transfer });
}

/** Fills a team with members who have no account. */
export async function addCrowd(teamId: string, count: number): Promise<void> {
  const firestore = adminFirestore();
  const writer = firestore.bulkWriter();
  for (let index = 0; index < count; index++) {
    const uid = `crowd-${index}`;
    const member = { uid, role: 'member', email: null, displayName: null, joinedAt: new Date() };
    void writer.create(firestore.doc(`teams/${teamId}/members/${uid}`), member);
  }
  await writer.close();
}

/** A new team with a member of each role; `outsider` is in none. */
export async function castOf(
  appUrl: string,
): Promise<{ teamId: string; owner: Person; admin: Person; member: Person; outsider: Person }> {
  const [owner, admin, member, outsider] = await Promise.all([signUp(), signUp(), signUp(), signUp()]);
  const teamId = await createTeam(appUrl, owner);
  await Promise.all([addMember(teamId, admin, 'admin'), addMember(teamId, member, 'member')]);
  return { teamId, owner, admin, member, outsider };
}

export interface AuditEntry {
  teamId: string;
  actorId: string;
  action: string;
  target: string;
  details: Record<string, string | null>;
}

/** The audit log of a team, in the order of the commits. */
export async function auditLogOf(teamId: string): Promise<AuditEntry[]> {
  return (await auditedCommitsOf(teamId)).flat();
}

/** The audit log of a team, with the entries of each commit together. */
export async function auditedCommitsOf(teamId: string): Promise<AuditEntry[][]> {
  const { docs } = await adminFirestore().collection('auditLog').where('teamId', '==', teamId).get();
  const commits = Map.groupBy(docs, ({ createTime }) => createTime.valueOf());
  return [...commits]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([, entries]) => entries.map((entry) => entry.data() as AuditEntry));
}

/**
 * Puts a team on a plan with this seat limit, as a webhook does. The entry in the audit log has the limit for the
 * entries after it.
 */
export async function changePlan(teamId: string, seatLimit: number): Promise<void> {
  const firestore = adminFirestore();
  await firestore.runTransaction(
    async (transaction) => {
      const team = firestore.doc(`teams/${teamId}`);
      if (!(await transaction.get(team)).exists) return;
      transaction.update(team, { seatLimit });
      transaction.create(firestore.collection('auditLog').doc(), {
        teamId,
        actorId: 'stripe',
        action: 'plan.changed',
        target: teamId,
        at: new Date(),
        details: { seatLimit: String(seatLimit) },
      });
    },
    { maxAttempts: 50 },
  );
}

/** The mail written to an address, in the order in which it was committed. */
export async function mailTo(email: string): Promise<{ subject: string; text: string; html: string }[]> {
  const mail = await adminFirestore().collection('mail').where('to', '==', [email]).get();
  return mail.docs
    .sort((a, b) => a.createTime.valueOf().localeCompare(b.createTime.valueOf()))
    .map((document) => document.get('message') as { subject: string; text: string; html: string });
}

/** The links in the latest invitation mail to an address. They contain its secret. */
export async function mailedLinks(email: string): Promise<{ accept: string; reject: string }> {
  const text = (await mailTo(email)).at(-1)?.text ?? '';
  const link = (action: string) =>
    new RegExp(`^https?://\\S+/api/team/${action}-invitation\\?\\S+$`, 'm').exec(text)?.[0] ?? '';
  return { accept: link('accept'), reject: link('reject') };
}

/** Makes an invitation expire. */
export async function expire(invitationId: string): Promise<void> {
  await adminFirestore()
    .doc(`invitations/${invitationId}`)
    .update({ expiresAt: new Date(0) });
}
