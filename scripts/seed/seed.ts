import { everyItem, HearthError, type Plan, type Role } from '../../client/src/index.ts';
import type { StackInfo } from '../stack.ts';
import { ADA, BEN, CLEO, DEMO_PEOPLE } from './demo-people.ts';
import { demoFiles } from './files.ts';
import { person, type Identity, type Person } from './people.ts';

/** Codes of refused invitations that the demonstration does without. */
const NOT_INVITED = new Set<string>(['already_member', 'no_seat']);

/** A user of the demonstration, and what it shows. */
export interface SeededPerson extends Identity {
  shows: string;
}

/**
 * Fills a running stack with a demonstration: three users, two teams, open invitations, files, and a subscription if a
 * plan is sold to teams. Everything is created through the API and the Firebase SDK, as by users. Existing data stays
 * as it is.
 *
 * @returns the users who can sign in
 */
export async function seed(stack: Pick<StackInfo, 'urls' | 'projectId'>): Promise<SeededPerson[]> {
  await using ada = await person(stack, ADA);
  await using ben = await person(stack, BEN);
  await using cleo = await person(stack, CLEO);
  const makers = await teamOf(ada, 'Day Shift');
  const shift = await teamOf(ben, 'Night Shift');
  if (stack.urls.stripe !== undefined) await subscribe(ada, makers);
  await join(ada, makers, ben, 'admin');
  await invite(ada, makers, cleo.email, 'member');
  await invite(ben, shift, cleo.email, 'admin');
  await invite(ben, shift, 'dana@demo.example', 'member');
  for (const owner of [ada, ben]) await upload(owner);
  await upload(ada, makers);
  return DEMO_PEOPLE;
}

async function teamOf({ hearth }: Person, name: string): Promise<string> {
  for await (const team of everyItem((options) => hearth.teams.list(options))) {
    if (team.name === name && team.role === 'owner') return team.id;
  }
  return (await hearth.teams.create({ name })).id;
}

/** Invites an address, unless its owner is a member, or the plan of the team has no further seat. */
async function invite(
  { hearth }: Person,
  teamId: string,
  email: string,
  role: Role,
): Promise<string | undefined> {
  try {
    return (await hearth.invitations.send(teamId, email, role)).id;
  } catch (error) {
    if (error instanceof HearthError && NOT_INVITED.has(error.code)) return undefined;
    throw error;
  }
}

async function join(owner: Person, teamId: string, guest: Person, role: Role): Promise<void> {
  const invitation = await invite(owner, teamId, guest.email, role);
  if (invitation !== undefined) await guest.hearth.invitations.accept(invitation);
}

/** Buys the lowest plan for teams: pays on the hosted page, and comes back from it as a browser does. */
async function subscribe(buyer: Person, team: string): Promise<void> {
  const { billing, teams } = buyer.hearth;
  const plan = (await billing.plans()).find(isForTeams);
  if (plan === undefined || (await teams.get(team)).plan === plan.slug) return;
  const page = await buyer.open(billing.checkoutUrl(plan.slug, { team }));
  const paid = await fetch(page, { method: 'POST', redirect: 'manual' });
  const back = paid.headers.get('Location');
  if (back === null) throw new Error(`The checkout page answered ${paid.status}: ${await paid.text()}`);
  await buyer.open(back);
}

/** Whether a team can subscribe to a plan. */
function isForTeams({ for: types, prices }: Plan): boolean {
  return types.includes('team') && (prices?.month ?? prices?.year ?? null) !== null;
}

/** Sends the files of the demonstration to somebody's own folder, or to that of a team. */
async function upload({ hearth, name }: Person, team?: string): Promise<void> {
  const folder = team === undefined ? {} : { team };
  const stored = new Set<string>();
  for await (const file of everyItem((options) => hearth.uploads.list({ ...options, ...folder }))) {
    stored.add(file.name);
  }
  for (const file of await demoFiles(name)) {
    if (!stored.has(file.name)) await hearth.uploads.send(file, folder);
  }
}
