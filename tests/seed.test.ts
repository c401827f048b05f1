import { randomUUID } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createHearthClient, type HearthClient } from '../client/src/index.ts';
import { person } from '../scripts/seed/people.ts';
import { seed, type SeededPerson } from '../scripts/seed/seed.ts';
import { serveApp } from './support/app.ts';
import { listen } from './support/listen.ts';
import { signIn } from './support/people.ts';
import { PROJECT_PLANS, subscribablePlans } from './support/plans.ts';

const stack = inject('stack');

const [free] = PROJECT_PLANS;
/** The plan that the demonstration buys for a team. */
const bought = subscribablePlans('team')[0] ?? free;
/** True if a team with a plan has the given number of seats. The demonstration invites nobody without a seat. */
const hasSeats = ({ limits }: typeof free, seats: number) => limits.seats >= seats;

async function clientOf({ email, password }: SeededPerson): Promise<HearthClient> {
  const { idToken } = await signIn({ uid: '', email, password });
  return createHearthClient({ baseUrl: stack.urls.app, idToken: () => Promise.resolve(idToken) });
}

/** Data that somebody finds after signing in. */
async function belongings(person: SeededPerson) {
  const hearth = await clientOf(person);
  const session = await hearth.account.session();
  const invitations = await hearth.invitations.mine();
  const files = await hearth.uploads.list();
  const { items } = await hearth.teams.list();
  const teams = await Promise.all(items.map(({ id }) => hearth.teams.get(id)));
  return {
    name: session?.user.displayName,
    plan: session?.plan,
    teams: teams.map(({ name, role, plan }) => `${name}: ${role}, ${plan}`).sort(),
    invited: invitations.items.map(({ teamName, role }) => `${teamName}: ${role}`).sort(),
    files: files.items.map(({ name }) => name).sort(),
  };
}

test('a demonstration is created once, and a second run does not change it', async () => {
  const files = ['dashboard.png', 'welcome.txt'];
  for (let time = 1; time <= 2; time++) {
    const found = [];
    // One request at a time: the functions emulator starts a process for each that is in flight.
    for (const person of await seed(stack)) found.push(await belongings(person));
    expect(found).toEqual([
      {
        name: 'Ada Ember',
        plan: free.slug,
        teams: [`Day Shift: owner, ${bought.slug}`],
        invited: [],
        files,
      },
      {
        name: 'Ben Birch',
        plan: free.slug,
        teams: [
          ...(hasSeats(bought, 2) ? [`Day Shift: admin, ${bought.slug}`] : []),
          `Night Shift: owner, ${free.slug}`,
        ],
        invited: [],
        files,
      },
      {
        name: 'Cleo Coal',
        plan: free.slug,
        teams: [],
        invited: [
          ...(hasSeats(bought, 3) ? ['Day Shift: member'] : []),
          ...(hasSeats(free, 2) ? ['Night Shift: admin'] : []),
        ],
        files: [],
      },
    ]);
  }
});

test('a demonstration sends nothing to the front end at APP_URL, which may not run yet', async () => {
  const sent: string[] = [];
  const frontEnd = await listen(({ url }, response) => {
    sent.push(url);
    response.status(502).end();
  });
  onTestFinished(frontEnd.close);
  await using app = await serveApp({ config: { appUrl: frontEnd.url } });
  const urls = { ...stack.urls, app: frontEnd.url, hosting: app.url };
  const identity = { name: 'Dora', email: `${randomUUID()}@demo.example`, password: 'warm and bright' };
  await using dora = await person({ projectId: stack.projectId, urls }, identity);
  const { billing, teams } = dora.hearth;
  const { id: team } = await teams.create({ name: 'Late Shift' });
  const page = await dora.open(billing.checkoutUrl('pro', { team }));
  expect(new URL(page).origin).toBe(app.stripe.url);
  const paid = await fetch(page, { method: 'POST', redirect: 'manual' });
  const back = paid.headers.get('Location') ?? '';
  expect(new URL(back).origin).toBe(frontEnd.url);
  expect(new URL(await dora.open(back)).origin).toBe(frontEnd.url);
  expect(await teams.get(team)).toMatchObject({ plan: 'pro' });
  expect(sent).toEqual([]);
});
