import { findUsersAndTeams } from '../../../functions/src/admin/find.service.ts';
import type { Command } from '../command.ts';

/** The command of every noun that finds users and teams. */
export const search: Command = {
  usage: '<text>',
  does: 'finds users and teams by an address, an id, a slug, or an id of Stripe',
  run: ({ backend, id }) => findUsersAndTeams(backend, id),
};
