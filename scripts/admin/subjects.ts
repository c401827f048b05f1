import { findSubjects } from '../../functions/src/admin/find.service.ts';
import type { Backend } from '../../functions/src/backend.ts';

/** The uid of the one user that a text finds. @throws Error unless there is exactly one */
export async function findUser(backend: Backend, text: string): Promise<string> {
  const { users } = await findSubjects(backend, text);
  return onlyOne(
    users.map(({ uid }) => uid),
    `user for ${text}`,
  );
}

/** The id of the one team that a text finds. @throws Error unless there is exactly one */
export async function findTeam(backend: Backend, text: string): Promise<string> {
  const { teams } = await findSubjects(backend, text);
  return onlyOne(
    teams.map(({ id }) => id),
    `team for ${text}`,
  );
}

function onlyOne(ids: readonly string[], what: string): string {
  const [id, ...others] = ids;
  if (id === undefined || others.length > 0) throw new Error(`There is no ${what}`);
  return id;
}
