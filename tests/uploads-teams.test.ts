import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgeUploads } from '../functions/src/uploads/records/remove.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { formWith, png } from './support/files.ts';
import { adminFirestore, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { castOf } from './support/teams.ts';
import { usedBytes } from './support/uploads.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const upload = (teamId: string, { bearer }: Person) =>
  call('POST', `${app.url}/api/upload?team=${teamId}`, {
    headers: bearer,
    body: formWith(png(), 'photo.png'),
  });

async function uploadedBy(teamId: string, person: Person): Promise<string> {
  return (await upload(teamId, person)).headers.get('X-Upload-Id') ?? '';
}

interface Stage {
  teamId: string;
  uploadId: string;
}

const ROUTES: Record<string, (stage: Stage, person: Person) => Promise<Response>> = {
  'upload for the team': ({ teamId }, person) => upload(teamId, person),
  'list the uploads': ({ teamId }, { bearer: headers }) =>
    call('GET', `${app.url}/api/uploads?team=${teamId}`, { headers }),
  'read an upload': ({ uploadId }, { bearer: headers }) =>
    call('GET', `${app.url}/api/uploads/${uploadId}`, { headers }),
  "revoke another's": ({ uploadId }, { bearer: headers }) =>
    call('POST', `${app.url}/api/uploads/${uploadId}/revoke`, { headers }),
  "delete another's": ({ uploadId }, { bearer: headers }) =>
    call('DELETE', `${app.url}/api/uploads/${uploadId}`, { headers }),
};

// Columns: owner, admin, member, outsider.
test.each([
  ['upload for the team', 200, 200, 200, 404],
  ['list the uploads', 200, 200, 200, 404],
  ['read an upload', 200, 200, 200, 404],
  ["revoke another's", 200, 200, 403, 404],
  ["delete another's", 204, 204, 403, 404],
])('to %s: owner %i, admin %i, member %i, outsider %i', async (what, ...statuses) => {
  const roles = ['owner', 'admin', 'member', 'outsider'] as const;
  const answers = await Promise.all(
    roles.map(async (role) => {
      const cast = await castOf(app.url);
      const uploadId = await uploadedBy(cast.teamId, role === 'owner' ? cast.admin : cast.owner);
      const response = await ROUTES[what]?.({ teamId: cast.teamId, uploadId }, cast[role]);
      return response?.status;
    }),
  );
  expect(answers).toEqual(statuses);
});

describe('an upload for a team', () => {
  test('belongs to the team, names its sender, and can be removed by the sender', async () => {
    const { teamId, member } = await castOf(app.url);
    const id = await uploadedBy(teamId, member);
    const list = await call('GET', `${app.url}/api/uploads?team=${teamId}`, { headers: member.bearer });
    expect(await list.json()).toMatchObject({ uploads: [{ id, createdBy: member.uid }] });
    const own = await call('GET', `${app.url}/api/uploads`, { headers: member.bearer });
    expect(await own.json()).toMatchObject({ uploads: [] });

    const url = `${app.url}/api/uploads/${id}`;
    expect((await call('DELETE', url, { headers: member.bearer })).status).toBe(204);
    expect(await usedBytes(teamId)).toBe(0);
  });

  test('stays with the team when its sender has left', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    const id = await uploadedBy(teamId, member);
    await adminFirestore().doc(`teams/${teamId}/members/${member.uid}`).delete();
    const url = `${app.url}/api/uploads/${id}`;
    expect((await call('DELETE', url, { headers: member.bearer })).status).toBe(404);
    expect((await call('GET', url, { headers: owner.bearer })).status).toBe(200);
  });

  test('is refused to a team that is being deleted', async () => {
    const { teamId, owner } = await castOf(app.url);
    await adminFirestore().doc(`teams/${teamId}`).update({ deletingSince: new Date() });
    expect(await errorOf(await upload(teamId, owner))).toMatchObject({ status: 404 });
  });

  test('is removed with the team, in Storage as well', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    const { url } = (await (await upload(teamId, member)).json()) as { url: string };
    const answer = await call('DELETE', `${app.url}/api/auth/teams/${teamId}`, { headers: owner.bearer });
    expect(answer.status).toBe(204);
    expect((await fetch(url)).ok).toBe(false);
    expect(await purgeUploads(app.backend, teamId, 1)).toBe(0);
    expect((await adminFirestore().doc(`usage/${teamId}`).get()).exists).toBe(false);
  });
});

test('an invalid id of a team answers as a team that does not exist', async () => {
  const { owner } = await castOf(app.url);
  expect((await upload(owner.uid, owner)).status).toBe(404);
  expect((await upload('nobody', owner)).status).toBe(404);
});
