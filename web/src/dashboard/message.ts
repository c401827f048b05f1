import type { Session } from '@hearth/client';

export const welcomeTo = (teamName: string) => `Welcome to ${teamName}! You are now a member.`;

export const DECLINED = 'You declined the invitation.';

/** For a link that only shows the invitation. */
export const ANSWER_BELOW = 'You are invited. Accept or decline below.';

/**
 * The message for a visitor who was redirected here. The URL only selects one of our own sentences, and a team's name comes
 * from the visitor's teams. So a forged link cannot show its own text.
 */
export function arrivalMessage(query: URLSearchParams, teams: Session['teams']): string | undefined {
  switch (query.get('message')) {
    case 'welcome': {
      const team = teams.find(({ id }) => id === query.get('team'));
      return team === undefined ? undefined : welcomeTo(team.name);
    }
    case 'invitation-rejected':
      return DECLINED;
    case null:
      return query.has('invitation') ? ANSWER_BELOW : undefined;
    default:
      return undefined;
  }
}
