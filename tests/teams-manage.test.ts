import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Purge } from '../functions/src/personal-data/purge.ts';
import { deleteTeamInSteps } from '../functions/src/teams/delete.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { slowPurge } from './support/slow-purge.ts';
import { addCrowd, addMember, auditLogOf, castOf, createTeam, inviteTo, membersOf } from './support/teams.ts';

let app: AppUnderTest;
let owner: Person;
beforeAll(async () => {
  app = await serveApp();
  owner = await signUp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (method: string, person: Person, path: string, json?: unknown, base = app.url) =>
  call(method, `${base}/api/auth/teams${path}`, { headers: person.bearer, json });

const unique = (() => {
  let count = 0;
  return (prefix: string) => `${prefix}-${process.pid}-${(count += 1)}`;
})();

async function bodyOf<Body>(answer: Promise<Response>, status = 200): Promise<Body> {
  const response = await answer;
  expect(response.status).toBe(status);
  return (await response.json()) as Body;
}

interface TeamAnswer {
  id: string;
  name: string;
  slug: string;
  role: string;
}

describe('POST /api/auth/teams', () => {
  test('accepts a slug, once', async () => {
    const slug = unique('chosen');
    const team = await bodyOf<TeamAnswer>(ask('POST', owner, '', { name: 'Chosen', slug }), 201);
    expect(team.slug).toBe(slug);
    const again = await ask('POST', owner, '', { name: 'Chosen', slug: slug.toUpperCase() });
    expect(await errorOf(again)).toMatchObject({ status: 409, code: 'slug_taken' });
  });

  test('makes a unique slug from the name if none is given', async () => {
    const name = unique('Same Name');
    const teams = await Promise.all(
      Array.from({ length: 5 }, () => bodyOf<TeamAnswer>(ask('POST', owner, '', { name }), 201)),
    );
    const slugs = teams.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(5);
    const plain = name.toLowerCase().replace(' ', '-');
    expect(slugs.filter((slug) => slug === plain)).toHaveLength(1);
    for (const slug of slugs) expect(slug.startsWith(plain)).toBe(true);
  });

  test('gives a slug to one of ten concurrent requests', async () => {
    const slug = unique('wanted');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask('POST', owner, '', { name: 'W', slug })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  test.each([
    ['a reserved slug', { slug: 'admin' }, 'slug_reserved'],
    ['a slug that is none', { slug: 'a/b' }, 'invalid_request'],
    ['a name of two lines', { name: 'A\nBcc: all' }, 'invalid_request'],
  ])('answers 400 to %s', async (_what, json, code) => {
    const answer = await ask('POST', owner, '', { name: 'A', ...json });
    expect(await errorOf(answer)).toMatchObject({ status: 400, code });
  });

  test('answers 403 over the limit of teams, also for ten concurrent requests', async () => {
    await using limited = await serveApp({ config: { teamLimit: 2 } });
    const person = await signUp();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask('POST', person, '', { name: 'Many' }, limited.url)),
    );
    const refused = answers.filter(({ status }) => status === 403);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(refused).toHaveLength(8);
    expect(await errorOf(refused[0] as Response)).toMatchObject({ code: 'team_limit' });
  });

  test('does not count teams of other owners, or teams that were transferred', async () => {
    await using limited = await serveApp({ config: { teamLimit: 1 } });
    const [person, heir] = await Promise.all([signUp(), signUp()]);
    await addMember(await createTeam(app.url, owner), person, 'admin');
    const teamId = await createTeam(limited.url, person);
    expect((await ask('POST', person, '', { name: 'B' }, limited.url)).status).toBe(403);
    await addMember(teamId, heir, 'member');
    await ask('POST', person, `/${teamId}/transfer`, { uid: heir.uid });
    await ask('POST', heir, `/${teamId}/transfer/accept`);
    expect((await ask('POST', person, '', { name: 'B' }, limited.url)).status).toBe(201);
  });

  test('counts a team whose former responsible owner has left to a co-owner at the limit', async () => {
    await using limited = await serveApp({ config: { teamLimit: 2 } });
    const [person, heir] = await Promise.all([signUp(), signUp()]);
    for (const name of ['A', 'B']) {
      expect((await ask('POST', heir, '', { name }, limited.url)).status).toBe(201);
    }
    const teamId = await createTeam(limited.url, person);
    await addMember(teamId, heir, 'owner');
    const left = await ask('DELETE', person, `/${teamId}/members/${person.uid}`, undefined, limited.url);
    expect(left.status).toBe(204);
    expect((await adminFirestore().doc(`teams/${teamId}`).get()).get('ownerId')).toBe(heir.uid);
    expect((await ask('POST', heir, '', { name: 'C' }, limited.url)).status).toBe(403);
  });
});

describe('GET /api/auth/teams', () => {
  test("lists the caller's teams with their roles, oldest first, page by page", async () => {
    const person = await signUp();
    const ids: string[] = [];
    for (const role of ['owner', 'admin', 'member', 'owner', 'member']) {
      const teamId = await createTeam(app.url, role === 'owner' ? person : owner);
      if (role !== 'owner') await addMember(teamId, person, role);
      ids.push(teamId);
    }
    const listed: TeamAnswer[] = [];
    let cursor: string | null = '';
    let pages = 0;
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: { teams: TeamAnswer[]; nextCursor: string | null } = await bodyOf(
        ask('GET', person, `?limit=2${query}`),
      );
      listed.push(...page.teams);
      cursor = page.nextCursor;
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(listed.map(({ id, role }) => [id, role])).toEqual([
      [ids[0], 'owner'],
      [ids[1], 'admin'],
      [ids[2], 'member'],
      [ids[3], 'owner'],
      [ids[4], 'member'],
    ]);
  });

  test('is empty for a user without teams', async () => {
    expect(await bodyOf(ask('GET', await signUp(), ''))).toEqual({ teams: [], nextCursor: null });
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1e1',
    'limit=1&limit=2',
    'cursor=x',
    `cursor=${Buffer.from('1:..').toString('base64url')}`,
    `cursor=${Buffer.from('1:a/b').toString('base64url')}`,
    'page=2',
  ])('answers 400 to ?%s', async (query) => {
    expect(await errorOf(await ask('GET', owner, `?${query}`))).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
  });
});

describe('GET /api/auth/teams/{teamId}', () => {
  test('describes the team to a member', async () => {
    const { teamId, owner: founder, member } = await castOf(app.url);
    expect(await bodyOf(ask('GET', member, `/${teamId}`))).toEqual({
      id: teamId,
      name: 'Acme',
      slug: expect.stringMatching(/^acme/) as string,
      role: 'member',
      ownerId: founder.uid,
      plan: 'free',
      seatLimit: 3,
      addOns: {},
      billingEmail: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      transfer: null,
    });
  });
});

describe('PATCH /api/auth/teams/{teamId}', () => {
  test('changes name and slug, and frees the old slug', async () => {
    const { teamId, admin } = await castOf(app.url);
    const [first, second] = [unique('before'), unique('after')];
    await bodyOf(ask('PATCH', admin, `/${teamId}`, { slug: first }));
    const changed = await bodyOf<TeamAnswer>(
      ask('PATCH', admin, `/${teamId}`, { name: 'New', slug: second }),
    );
    expect(changed).toMatchObject({ id: teamId, name: 'New', slug: second, role: 'admin' });
    expect((await ask('POST', owner, '', { name: 'A', slug: first })).status).toBe(201);
    expect((await ask('POST', owner, '', { name: 'A', slug: second })).status).toBe(409);
  });

  test('writes nothing when nothing changes', async () => {
    const { teamId, admin } = await castOf(app.url);
    const before = await auditLogOf(teamId);
    const { slug } = await bodyOf<TeamAnswer>(ask('GET', admin, `/${teamId}`));
    expect((await ask('PATCH', admin, `/${teamId}`, { name: 'Acme', slug })).status).toBe(200);
    expect(await auditLogOf(teamId)).toEqual(before);
  });

  test('answers 409 to the slug of another team', async () => {
    const slug = unique('theirs');
    await bodyOf(ask('POST', owner, '', { name: 'Theirs', slug }), 201);
    const { teamId, admin } = await castOf(app.url);
    const answer = await ask('PATCH', admin, `/${teamId}`, { slug });
    expect(await errorOf(answer)).toMatchObject({ status: 409, code: 'slug_taken' });
  });

  test.each([
    ['nothing', {}],
    ['an unknown key', { name: 'A', seatLimit: 1000 }],
    ['a reserved slug', { slug: 'settings' }],
  ])('answers 400 to %s', async (_what, json) => {
    const { teamId, owner: founder } = await castOf(app.url);
    expect((await ask('PATCH', founder, `/${teamId}`, json)).status).toBe(400);
  });
});

describe('DELETE /api/auth/teams/{teamId}', () => {
  const remains = async (teamId: string) => {
    const firestore = adminFirestore();
    const invitations = await firestore.collection('invitations').where('teamId', '==', teamId).get();
    const slugs = await firestore.collection('teamSlugs').where('teamId', '==', teamId).get();
    const team = await firestore.doc(`teams/${teamId}`).get();
    return [team.exists, (await membersOf(teamId)).length, invitations.size, slugs.size];
  };

  test('removes the team, its members, invitations and slug, and keeps the audit log', async () => {
    const { teamId, owner: founder, admin } = await castOf(app.url);
    await adminFirestore().doc(`teams/${teamId}`).update({ seatLimit: 10 });
    await inviteTo(app.url, founder, teamId, 'someone@example.com');
    expect(await remains(teamId)).toEqual([true, 3, 1, 1]);
    expect((await ask('DELETE', founder, `/${teamId}`)).status).toBe(204);
    expect(await remains(teamId)).toEqual([false, 0, 0, 0]);
    expect((await ask('GET', admin, `/${teamId}`)).status).toBe(404);
    expect((await auditLogOf(teamId)).map(({ action }) => action)).toEqual([
      'team.created',
      'invitation.created',
      'team.deletion_started',
      'team.deleted',
    ]);
    expect((await ask('DELETE', founder, `/${teamId}`)).status).toBe(404);
  });

  test('removes more than one batch', async () => {
    const { teamId, owner: founder } = await castOf(app.url);
    await addCrowd(teamId, 260);
    expect((await ask('DELETE', founder, `/${teamId}`)).status).toBe(204);
    expect(await remains(teamId)).toEqual([false, 0, 0, 0]);
  });

  test('answers 409 while a subscription of the team runs', async () => {
    const { teamId, owner: founder } = await castOf(app.url);
    const team = adminFirestore().doc(`teams/${teamId}`);
    await team.update({ hasRunningSubscription: true });
    const refused = await ask('DELETE', founder, `/${teamId}`);
    expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'subscription_running' });
    expect((await ask('GET', founder, `/${teamId}`)).status).toBe(200);
    await team.update({ hasRunningSubscription: false });
    expect((await ask('DELETE', founder, `/${teamId}`)).status).toBe(204);
  });

  test('is continued by any owner after an interruption, and until then the team does not exist for anybody else', async () => {
    const { teamId, owner: founder, admin, member, outsider } = await castOf(app.url);
    const partner = await signUp();
    await addMember(teamId, partner, 'owner');
    await adminFirestore().doc(`teams/${teamId}`).update({ seatLimit: 10 });
    const { id } = await inviteTo(app.url, founder, teamId, outsider.email);
    // The state after a crash in the second step.
    await adminFirestore().doc(`teams/${teamId}`).update({ deletingSince: new Date() });
    await adminFirestore().doc(`teams/${teamId}/members/${member.uid}`).delete();

    for (const person of [founder, admin]) {
      const answer = await ask('GET', person, `/${teamId}`);
      expect(await errorOf(answer)).toMatchObject({ status: 404, code: 'team_not_found' });
    }
    expect(await bodyOf(ask('GET', admin, ''))).toEqual({ teams: [], nextCursor: null });
    const accept = `${app.url}/api/team/accept-invitation?invitationId=${id}`;
    expect((await call('GET', accept, { headers: outsider.bearer })).status).toBe(404);
    expect((await ask('DELETE', admin, `/${teamId}`)).status).toBe(403);

    expect((await ask('DELETE', partner, `/${teamId}`)).status).toBe(204);
    expect(await remains(teamId)).toEqual([false, 0, 0, 0]);
  });

  test('continues after a failed batch, and after more than a request has time for', async () => {
    const { teamId, owner: founder } = await castOf(app.url);
    const caller = { ...founder, emailVerified: true, displayName: undefined, photoURL: undefined };
    const withHook = (hook: Purge) => ({
      ...app.backend,
      featureHooks: { ...app.backend.featureHooks, purgeTeam: [hook] },
    });
    const failing = () => Promise.reject(new Error('cut off'));
    await expect(deleteTeamInSteps(withHook(failing), caller, teamId)).rejects.toThrow('cut off');
    const { purge, now } = slowPurge(app.backend.now);
    expect(await deleteTeamInSteps({ ...withHook(purge), now }, caller, teamId)).toBe(false);
    expect((await remains(teamId))[0]).toBe(true);
    expect((await ask('DELETE', founder, `/${teamId}`)).status).toBe(204);
    expect(await remains(teamId)).toEqual([false, 0, 0, 0]);
  });

  test('is done once when two owners ask at the same time', async () => {
    const { teamId, owner: founder } = await castOf(app.url);
    const partner = await signUp();
    await addMember(teamId, partner, 'owner');
    const answers = await Promise.all(
      [founder, partner].map((person) => ask('DELETE', person, `/${teamId}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    const actions = (await auditLogOf(teamId)).map(({ action }) => action);
    expect(actions).toEqual(['team.created', 'team.deletion_started', 'team.deleted']);
  });
});
