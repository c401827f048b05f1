import type { Session } from '@hearth/client';

export const welcomeTo = (teamName: string) => `Welcome to ${teamName}! You are now a member.`;

export const DECLINED = 'You declined the invitation.';

/**
 * What to say about where the person comes from. The address only chooses among our own sentences, and a team's name
 * comes from the teams they are in: a forged link cannot put words on the page.
 */
export function arrivalMessage(query: URLSearchParams, teams: Session['teams']): string | undefined {
  switch (query.get('message')) {
    case 'welcome': {
      const team = teams.find(({ id }) => id === query.get('team'));
      return team === undefined ? undefined : welcomeTo(team.name);
    }
    case 'invitation-rejected':
      return DECLINED;
    default:
      return undefined;
  }
}
