import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { giveCredits, spendCredits } from '../functions/src/billing/purchases/credits.service.ts';
import { recordUsage } from '../functions/src/billing/usage/report.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  buy,
  checkout,
  pay,
  planInSession,
  settled,
  subscriptionCopiesOf,
  subscriptionOf,
} from './support/billing.ts';
import { APP_URL } from './support/config.ts';
import { METERS } from './support/extras.ts';
import { formWith, png } from './support/files.ts';
import { loseEachCommit } from './support/lost-commits.ts';
import { watchNetwork, type Network } from './support/network.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, locationOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import {
  addMember,
  auditLogOf,
  castOf,
  createTeam,
  invitationStatus,
  inviteTo,
  mailTo,
  membersOf,
} from './support/teams.ts';
import { documentedBytes, usedBytes } from './support/uploads.ts';

/**
 * Firestore commits a transaction, and its answer is lost. The client then runs the transaction again. The second run
 * must not take the effect of the first one for the work of another request.
 */

let network: Network;
let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  network = resources.use(await watchNetwork());
  app = resources.use(await serveApp({ config: { extras: METERS } }));
});

/** A request, and what must be true after it. */
interface Attempt {
  request: () => Promise<Response>;
  status: number;
  check?: () => Promise<void>;
}

/** Also loses the answers to commits of the tasks and events that follow a request. */
async function loseEachCommitOf(prepare: () => Promise<Attempt>): Promise<number> {
  return loseEachCommit(network, async () => {
    const { request, status: result, check } = await prepare();
    const operate = async () => {
      const { status } = await request();
      await settled(app);
      return status;
    };
    return { operate, result, ...(check && { check }) };
  });
}

const send = (person: Person, method: string, path: string, json?: object) =>
  call(method, `${app.url}/api/auth/${path}`, { headers: person.bearer, ...(json && { json }) });

async function countActions(teamId: string, action: string): Promise<number> {
  return (await auditLogOf(teamId)).filter((entry) => entry.action === action).length;
}

/** A team, its owner, and another person, who is not a member. */
async function pairOf(): Promise<{ owner: Person; other: Person; teamId: string }> {
  const [owner, other] = await Promise.all([signUp(), signUp()]);
  return { owner, other, teamId: await createTeam(app.url, owner) };
}

async function invited(): Promise<{ owner: Person; other: Person; teamId: string; id: string }> {
  const pair = await pairOf();
  await adminFirestore().doc(`teams/${pair.teamId}`).update({ billingDependsOnMembers: true });
  return { ...pair, id: (await inviteTo(app.url, pair.owner, pair.teamId, pair.other.email)).id };
}

async function checkPlan(person: Person): Promise<void> {
  expect(await planInSession(app, person)).toBe('pro');
  await subscriptionOf(app, person.uid);
  expect(await subscriptionCopiesOf(person.uid)).toHaveLength(1);
}

async function checkQuantity(teamId: string, quantity: number): Promise<void> {
  const { items } = await subscriptionOf(app, teamId);
  expect(items.data.map((item) => item.quantity)).toEqual([quantity]);
}

const OPERATIONS: Readonly<Record<string, () => Promise<Attempt>>> = {
  'a team is created once': async () => {
    const owner = await signUp();
    return {
      request: () => send(owner, 'POST', 'teams', { name: 'Acme' }),
      status: 201,
      check: async () => {
        const teams = await adminFirestore().collection('teams').where('ownerId', '==', owner.uid).get();
        expect(teams.size).toBe(1);
        expect(await countActions(teams.docs[0]?.id ?? '', 'team.created')).toBe(1);
      },
    };
  },
  'a team is renamed': async () => {
    const { owner, teamId } = await pairOf();
    return { request: () => send(owner, 'PATCH', `teams/${teamId}`, { name: 'Other' }), status: 200 };
  },
  'a team is deleted': async () => {
    const { owner, other, teamId } = await pairOf();
    await addMember(teamId, other, 'member');
    return {
      request: () => send(owner, 'DELETE', `teams/${teamId}`),
      status: 204,
      check: async () => {
        expect((await adminFirestore().doc(`teams/${teamId}`).get()).exists).toBe(false);
      },
    };
  },
  'a person is invited by one mail': async () => {
    const { owner, other, teamId } = await pairOf();
    return {
      request: () =>
        send(owner, 'POST', `teams/${teamId}/invitations`, { email: other.email, role: 'member' }),
      status: 201,
      check: async () => {
        expect(await mailTo(other.email)).toHaveLength(1);
        expect(await countActions(teamId, 'invitation.created')).toBe(1);
      },
    };
  },
  'an invitation is sent again once': async () => {
    const { owner, other, teamId, id } = await invited();
    return {
      request: () => send(owner, 'POST', `teams/${teamId}/invitations/${id}/resend`),
      status: 200,
      check: async () => {
        expect(await mailTo(other.email)).toHaveLength(2);
      },
    };
  },
  'a link of a shared invitation works': async () => {
    const { owner, other, teamId } = await pairOf();
    const request = () => send(owner, 'POST', `teams/${teamId}/invitations/link`, { role: 'member' });
    let answer: Response | undefined;
    return {
      request: async () => (answer = await request()),
      status: 201,
      check: async () => {
        const { acceptUrl } = (await answer?.json()) as { acceptUrl: string };
        const link = new URL(acceptUrl).searchParams.get('link') ?? acceptUrl.split(/[=#/]/).at(-1) ?? '';
        expect((await send(other, 'POST', `invitations/${link}/accept`)).status).toBe(200);
      },
    };
  },
  'the recipient of an invitation joins, and the seats are synced': async () => {
    const { other, teamId, id } = await invited();
    app.seatQueue.enqueued.length = 0;
    return {
      request: () => send(other, 'POST', `invitations/${id}/accept`),
      status: 200,
      check: async () => {
        expect((await membersOf(teamId)).map(({ uid }) => uid)).toContain(other.uid);
        expect(await countActions(teamId, 'invitation.accepted')).toBe(1);
        expect(app.seatQueue.enqueued).toEqual([teamId]);
      },
    };
  },
  'an invitation is rejected': async () => {
    const { other, id } = await invited();
    return {
      request: () => send(other, 'POST', `invitations/${id}/reject`),
      status: 204,
      check: async () => {
        expect(await invitationStatus(id)).toBe('rejected');
      },
    };
  },
  'an invitation is cancelled': async () => {
    const { owner, teamId, id } = await invited();
    return { request: () => send(owner, 'DELETE', `teams/${teamId}/invitations/${id}`), status: 204 };
  },
  'a role is changed': async () => {
    const { teamId, owner, member } = await castOf(app.url);
    return {
      request: () => send(owner, 'PATCH', `teams/${teamId}/members/${member.uid}`, { role: 'admin' }),
      status: 200,
      check: async () => {
        expect(await countActions(teamId, 'member.role_changed')).toBe(1);
      },
    };
  },
  'a member is removed': async () => {
    const { teamId, owner, member } = await castOf(app.url);
    return { request: () => send(owner, 'DELETE', `teams/${teamId}/members/${member.uid}`), status: 204 };
  },
  'a member leaves': async () => {
    const { teamId, member } = await castOf(app.url);
    return { request: () => send(member, 'DELETE', `teams/${teamId}/members/${member.uid}`), status: 204 };
  },
  'a team is offered': async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    return {
      request: () => send(owner, 'POST', `teams/${teamId}/transfer`, { uid: admin.uid }),
      status: 200,
    };
  },
  'an offer of a team is accepted': async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    expect((await send(owner, 'POST', `teams/${teamId}/transfer`, { uid: admin.uid })).status).toBe(200);
    return { request: () => send(admin, 'POST', `teams/${teamId}/transfer/accept`), status: 204 };
  },
  'an offer of a team is declined': async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    expect((await send(owner, 'POST', `teams/${teamId}/transfer`, { uid: admin.uid })).status).toBe(200);
    return { request: () => send(admin, 'POST', `teams/${teamId}/transfer/decline`), status: 204 };
  },
  'a session begins': async () => {
    const person = await signUp();
    const { idToken } = person;
    return {
      request: () =>
        call('POST', `${app.url}/api/auth/session`, { headers: { Origin: APP_URL }, json: { idToken } }),
      status: 201,
    };
  },
  'a profile is changed': async () => {
    const person = await signUp();
    return { request: () => send(person, 'PATCH', 'user', { displayName: 'Ada' }), status: 200 };
  },
  'an account is deleted': async () => {
    const { other } = await invited();
    return {
      request: () => send(other, 'DELETE', 'user'),
      status: 204,
      check: async () => {
        expect((await adminFirestore().doc(`users/${other.uid}`).get()).exists).toBe(false);
      },
    };
  },
  'a file is stored and counted once': async () => {
    const person = await signUp();
    const bytes = png();
    const body = formWith(bytes, 'photo.png');
    return {
      request: () => call('POST', `${app.url}/api/upload`, { headers: person.bearer, body }),
      status: 200,
      check: async () => {
        expect(await usedBytes(person.uid)).toBe(bytes.length);
        expect(await documentedBytes(person.uid)).toBe(bytes.length);
      },
    };
  },
  'a file is removed, and its bytes are given back once': async () => {
    const person = await signUp();
    const upload = (name: string) =>
      call('POST', `${app.url}/api/upload`, { headers: person.bearer, body: formWith(png(), name) });
    await upload('first.png');
    await upload('second.png');
    const uploads = await adminFirestore().collection('uploads').where('ownerId', '==', person.uid).get();
    return {
      request: () =>
        call('DELETE', `${app.url}/api/uploads/${uploads.docs[0]?.id ?? ''}`, { headers: person.bearer }),
      status: 204,
      check: async () => {
        expect(await usedBytes(person.uid)).toBe(await documentedBytes(person.uid));
      },
    };
  },
  'a checkout begins': async () => {
    const person = await signUp();
    return {
      request: () => checkout(app, person, 'pro'),
      status: 303,
      check: async () => {
        await buy(app, person, 'pro');
        await checkPlan(person);
      },
    };
  },
  'a payment gives the plan': async () => {
    const person = await signUp();
    const page = locationOf(await checkout(app, person, 'pro'));
    return { request: () => pay(app, page), status: 303, check: () => checkPlan(person) };
  },
  'a team pays for its members': async () => {
    const { teamId, owner } = await castOf(app.url);
    const page = locationOf(await checkout(app, owner, `business?team=${teamId}`));
    return { request: () => pay(app, page), status: 303, check: () => checkQuantity(teamId, 3) };
  },
  'a team pays for a new member': async () => {
    const { teamId, owner, outsider } = await castOf(app.url);
    await buy(app, owner, `business?team=${teamId}`);
    const { id } = await inviteTo(app.url, owner, teamId, outsider.email);
    return {
      request: () => send(outsider, 'POST', `invitations/${id}/accept`),
      status: 200,
      check: () => checkQuantity(teamId, 4),
    };
  },
  'a subscription is cancelled': async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    return {
      request: () => send(person, 'POST', 'subscription/cancel', {}),
      status: 200,
      check: async () => {
        expect((await subscriptionOf(app, person.uid)).cancel_at_period_end).toBe(true);
      },
    };
  },
};

test.for(Object.entries(OPERATIONS))('if the answer to any commit is lost: %s', async ([, prepare]) => {
  expect(await loseEachCommitOf(prepare)).toBeGreaterThan(0);
});

const CALLS: Readonly<Record<string, (customerId: string) => Promise<{ isRepeated: boolean }>>> = {
  'giving credits': (customerId) =>
    giveCredits(app.backend, { customerId, amount: 5, key: 'gift', reason: 'Gift' }),
  'spending credits': async (customerId) =>
    spendCredits(app.backend, { customerId, amount: 1, key: 'job', reason: 'Job' }),
  'recording usage': (customerId) =>
    recordUsage(app.backend, { customerId, meter: 'calls', value: 1, key: 'job' }),
};

test.for(Object.entries(CALLS))(
  '%s is no repetition if the answer to its commit is lost',
  async ([, run]) => {
    const commits = await loseEachCommit(network, async () => {
      const customerId = randomUUID();
      await adminFirestore().doc(`credits/${customerId}`).set({ balance: 9, updatedAt: new Date() });
      const operate = async () => (await run(customerId)).isRepeated;
      const check = async () => {
        expect((await run(customerId)).isRepeated).toBe(true);
      };
      return { operate, result: false, check };
    });
    expect(commits).toBe(1);
  },
);
