import { HearthError } from './error.ts';
import type { Transport } from './transport.ts';
import type { Abortable } from './types.ts';

export type TeamDeletion = Abortable & { endSubscription?: boolean };

/**
 * Deletes a team. Repeats the request until the team is gone. The backend's schedule may finish the deletion between
 * two requests. So after a request that began the deletion, `team_not_found` is a success.
 */
export async function deleteTeamUntilGone(
  transport: Transport,
  path: '/api/auth/teams/{teamId}' | '/api/admin/teams/{teamId}',
  teamId: string,
  { endSubscription, signal }: TeamDeletion,
): Promise<void> {
  const query = endSubscription === true ? ({ endSubscription: 'true' } as const) : {};
  const sender = {};
  const send = () => transport.request('delete', path, { path: { teamId }, query, signal }, sender);
  let rest = await send();
  try {
    while (rest?.status === 'deleting') rest = await send();
  } catch (error) {
    if (!(error instanceof HearthError) || error.code !== 'team_not_found') throw error;
  }
}
