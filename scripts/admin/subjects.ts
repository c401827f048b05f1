import type { FoundTeam, FoundUser } from '../../functions/src/admin/admin.view.ts';
import { findUsersAndTeams } from '../../functions/src/admin/find.service.ts';
import type { Backend } from '../../functions/src/backend.ts';
import type { SubjectKey } from '../../functions/src/billing/subject.ts';
import { emailSchema } from '../../functions/src/common/email.ts';

/** The one user that a text finds. @throws Error unless there is exactly one */
export async function oneUser(backend: Backend, text: string): Promise<FoundUser> {
  return onlyOne((await findUsersAndTeams(backend, text)).users, `user for ${text}`);
}

/** The one team that a text finds. @throws Error unless there is exactly one */
export async function oneTeam(backend: Backend, text: string): Promise<FoundTeam> {
  return onlyOne((await findUsersAndTeams(backend, text)).teams, `team for ${text}`);
}

/** The one user or team that a text finds. @throws Error unless there is exactly one */
export async function oneSubject(
  backend: Backend,
  text: string,
): Promise<SubjectKey & { found: FoundUser | FoundTeam }> {
  const { users, teams } = await findUsersAndTeams(backend, text);
  const found = [
    ...users.map((user) => ({ type: 'user' as const, customerId: user.uid, found: user })),
    ...teams.map((team) => ({ type: 'team' as const, customerId: team.id, found: team })),
  ];
  return onlyOne(found, `user or team for ${text}`);
}

export const findUser = async (backend: Backend, text: string) => (await oneUser(backend, text)).uid;

export const findTeam = async (backend: Backend, text: string) => (await oneTeam(backend, text)).id;

/** @throws Error for a text that is no e-mail address */
export function findAddress(_backend: Backend, text: string): Promise<string> {
  const { data } = emailSchema.safeParse(text);
  return data === undefined
    ? Promise.reject(new Error(`${text} is no e-mail address`))
    : Promise.resolve(data);
}

function onlyOne<Found>(found: readonly Found[], what: string): Found {
  const [one, ...others] = found;
  if (one === undefined || others.length > 0) throw new Error(`There is no ${what}`);
  return one;
}
