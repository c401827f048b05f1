import { describe, expect, test } from 'vitest';
import { newAddress, useInvitations } from './support/invitations.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { addMember, expire, inviteTo, mailedLinks, mailTo, setRole } from './support/teams.ts';

const service = useInvitations();

/** Asks as the form on the page with the error does: without a sign-in. */
const ask = (query: string) =>
  call('POST', `${service.url}/api/team/ask-for-invitation${query}`, { headers: { Accept: 'text/html' } });

/** An expired invitation that an admin sent, and the query of its mailed links. */
async function expired() {
  const [sender, teamId] = await Promise.all([signUp(), service.newTeam()]);
  await addMember(teamId, sender, 'admin');
  const { id, email } = await inviteTo(service.url, sender, teamId, newAddress());
  const query = await mailedQuery(email);
  await expire(id);
  return { teamId, id, email, sender, query };
}

const mailedQuery = async (email: string) => new URL((await mailedLinks(email)).accept).search;

const asked = async (email: string) =>
  (await mailTo(email)).map(({ subject }) => subject).filter((subject) => subject.includes('asks for'));

describe('an invited person asks for a new invitation', () => {
  test('once for each mailed link, also if the button is pressed twice', async () => {
    const { sender, email, query } = await expired();
    const answers = await Promise.all([ask(query), ask(query)]);
    answers.push(await ask(query));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('You have asked for a new invitation');
    }
    expect(await asked(sender.email)).toEqual([`${email} asks for a new invitation to Acme`]);
  });

  test('once for each mailed link, also after the mail to the sender was deleted', async () => {
    const { sender, query } = await expired();
    await ask(query);
    const firestore = adminFirestore();
    const sent = await firestore.collection('mail').where('to', '==', [sender.email]).get();
    await Promise.all(sent.docs.map(({ ref }) => ref.delete()));
    expect((await ask(query)).status).toBe(200);
    expect(await asked(sender.email)).toEqual([]);
  });

  test('again after the invitation was sent again', async () => {
    const { teamId, id, sender, email, query } = await expired();
    await ask(query);
    await service.ask('POST', sender, `teams/${teamId}/invitations/${id}/resend`);
    await ask(await mailedQuery(email));
    expect(await asked(sender.email)).toHaveLength(2);
  });

  test('by mail to an owner if the sender may no longer invite', async () => {
    const { teamId, sender, query } = await expired();
    await setRole(teamId, sender, 'member');
    const before = await asked(service.owner.email);
    await ask(query);
    expect(await asked(sender.email)).toEqual([]);
    expect(await asked(service.owner.email)).toHaveLength(before.length + 1);
  });
});

describe('no mail is sent', () => {
  test.each<[description: string, nameOf: (id: string) => string]>([
    ['without the secret of the mail', (id) => id],
    ['with a wrong secret', (id) => `${id}.${'0'.repeat(40)}`],
  ])('%s', async (_description, nameOf) => {
    const { id, sender } = await expired();
    const answer = await call(
      'POST',
      `${service.url}/api/team/ask-for-invitation?invitationId=${nameOf(id)}`,
    );
    expect(await errorOf(answer)).toMatchObject({ status: 404, code: 'invitation_not_found' });
    expect(await asked(sender.email)).toEqual([]);
  });

  test('for an accepted invitation', async () => {
    const { id, sender, query } = await expired();
    await adminFirestore().doc(`invitations/${id}`).update({ status: 'accepted' });
    expect((await ask(query)).status).toBe(409);
    expect(await asked(sender.email)).toEqual([]);
  });

  test('for a team that was deleted', async () => {
    const { teamId, sender, query } = await expired();
    await adminFirestore().doc(`teams/${teamId}`).delete();
    expect((await ask(query)).status).toBe(404);
    expect(await asked(sender.email)).toEqual([]);
  });
});
