import { FieldValue, type DocumentReference } from 'firebase-admin/firestore';
import { describe, expect, test } from 'vitest';
import { recipientIdOf } from '../functions/src/mail/recipient.ts';
import { newAddress, useInvitations, type InvitedUser } from './support/invitations.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { errorOf, visit } from './support/requests.ts';
import { addMember, mailTo, membersOf } from './support/teams.ts';

const service = useInvitations();

const DAMAGED = { status: 500, code: 'document_damaged' };

const aReference = () => adminFirestore().doc('teams/other');

const documentOf = (id: string) => adminFirestore().doc(`invitations/${id}`);

const ask = async (...request: Parameters<typeof service.ask>) => errorOf(await service.ask(...request));

async function listed(path: string, person = service.owner): Promise<string[]> {
  const response = await service.ask('GET', person, path);
  const { invitations } = (await response.json()) as { invitations: { id: string }[] };
  return invitations.map(({ id }) => id);
}

async function inviteAll(teamId: string, emails: string[]): Promise<unknown> {
  const json = { emails, role: 'member' };
  return (await service.ask('POST', service.owner, `teams/${teamId}/invitations`, json)).json();
}

const DAMAGES: [damage: string, change: () => object][] = [
  ['a reference in a field', () => ({ createdAt: aReference() })],
  ['a missing field', () => ({ teamName: FieldValue.delete() })],
  ['a wrong type', () => ({ role: 7 })],
];

describe.each(DAMAGES)('an invitation with %s', (_damage, change) => {
  async function damaged(): Promise<InvitedUser & { document: DocumentReference }> {
    const invited = await service.inviteUser();
    const document = documentOf(invited.id);
    await document.update(change());
    return { ...invited, document };
  }

  test('cannot be accepted, rejected, resent or cancelled', async () => {
    const { teamId, id, recipient } = await damaged();
    expect(await ask('POST', recipient, `invitations/${id}/accept`)).toMatchObject(DAMAGED);
    expect(await ask('POST', recipient, `invitations/${id}/reject`)).toMatchObject(DAMAGED);
    const path = `teams/${teamId}/invitations/${id}`;
    expect(await ask('POST', service.owner, `${path}/resend`)).toMatchObject(DAMAGED);
    expect(await ask('DELETE', service.owner, path)).toMatchObject(DAMAGED);
    const link = `${service.url}/api/team/accept-invitation?invitationId=${id}`;
    expect((await visit(link, recipient.bearer)).status).toBe(500);
    expect(await membersOf(teamId)).toHaveLength(1);
  });

  test('is left out of lists', async () => {
    const { teamId, recipient } = await damaged();
    const intact = await service.invite(teamId, newAddress());
    expect(await listed(`teams/${teamId}/invitations`)).toEqual([intact.id]);
    expect(await listed('invitations', recipient)).toEqual([]);
  });

  test('keeps its address from being invited again, and no other', async () => {
    const { teamId, recipient } = await damaged();
    const other = newAddress();
    expect(await inviteAll(teamId, [recipient.email, other])).toMatchObject({
      results: [
        { email: recipient.email, ...DAMAGED },
        { email: other, status: 201 },
      ],
    });
  });

  test('does not stop the deletion of its team, its recipient or its sender', async () => {
    const [ofTeam, ofRecipient, ofSender] = await Promise.all([damaged(), damaged(), damaged()]);
    expect((await service.ask('DELETE', service.owner, `teams/${ofTeam.teamId}`)).status).toBe(204);
    expect((await ofTeam.document.get()).exists).toBe(false);

    expect((await service.ask('DELETE', ofRecipient.recipient, 'user')).status).toBe(204);
    expect((await ofRecipient.document.get()).exists).toBe(false);

    const sender = await signUp();
    await ofSender.document.update({ invitedBy: sender.uid });
    expect((await service.ask('DELETE', sender, 'user')).status).toBe(204);
    const { invitedBy } = (await ofSender.document.get()).data() ?? {};
    expect(invitedBy).toEqual(expect.any(String));
    expect(invitedBy).not.toBe(sender.uid);
  });
});

test('an invitation with an unknown field is accepted', async () => {
  const { id, recipient } = await service.inviteUser();
  await documentOf(id).update({ color: 'red', reference: aReference() });
  expect((await service.ask('POST', recipient, `invitations/${id}/accept`)).status).toBe(200);
});

test('an invitation of a sender whose membership is damaged cannot be accepted or confirmed', async () => {
  const [sender, { teamId, id, recipient }] = await Promise.all([signUp(), service.inviteUser()]);
  await addMember(teamId, sender, 'admin');
  await documentOf(id).update({ invitedBy: sender.uid });
  await adminFirestore().doc(`teams/${teamId}/members/${sender.uid}`).update({ role: 7 });
  expect(await ask('POST', recipient, `invitations/${id}/accept`)).toMatchObject(DAMAGED);
  expect(await inviteAll(teamId, [recipient.email])).toMatchObject({ results: [DAMAGED] });
});

describe.each<[damage: string, change: () => object]>([
  ['a reference in a field', () => ({ countedUntil: aReference() })],
  ['a missing field', () => ({ lastSentAt: FieldValue.delete() })],
  ['a wrong type', () => ({ count: 'many' })],
])('a mail recipient with %s', (_damage, change) => {
  async function damaged(): Promise<{ teamId: string; email: string; link: string }> {
    const [teamId, email] = [await service.newTeam(100), newAddress()];
    await service.invite(await service.newTeam(), email);
    const document = adminFirestore().doc(`mailRecipients/${recipientIdOf(email)}`);
    const token = (await document.get()).get('token') as string;
    await document.update(change());
    return { teamId, email, link: `${service.url}/api/mail/unsubscribe?token=${token}` };
  }

  test('cannot be invited, and the other addresses are', async () => {
    const { teamId, email } = await damaged();
    const other = newAddress();
    const path = `teams/${teamId}/invitations`;
    expect(await ask('POST', service.owner, path, { email, role: 'member' })).toMatchObject(DAMAGED);
    expect(await inviteAll(teamId, [email, other])).toMatchObject({
      results: [
        { email, ...DAMAGED },
        { email: other, status: 201 },
      ],
    });
    expect(await mailTo(email)).toHaveLength(1);
  });

  test('cannot opt out by its link', async () => {
    const { link } = await damaged();
    expect((await visit(link)).status).toBe(500);
    expect((await fetch(link, { method: 'POST' })).status).toBe(500);
  });
});

test('a mail with damaged fields does not stop the deletion of its recipient', async () => {
  const [recipient, other] = await Promise.all([signUp(), signUp()]);
  const mail = adminFirestore().collection('mail');
  const damage = { message: aReference(), delivery: 'sent', deleteAt: 'never' };
  const own = await mail.add({ to: [recipient.email], ...damage });
  const shared = await mail.add({ to: [recipient.email, other.email, 7], sentBy: 7, delivery: { info: 7 } });
  expect((await service.ask('DELETE', recipient, 'user')).status).toBe(204);
  expect((await own.get()).exists).toBe(false);
  expect((await shared.get()).data()).toEqual({
    to: [other.email, 7],
    sentBy: 7,
    delivery: { info: null },
  });
});
