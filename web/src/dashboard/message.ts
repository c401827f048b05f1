import type { Session } from '@hearth/client';
import { dashboardTexts } from './texts.ts';

/**
 * The message for a visitor who was redirected here. The URL only selects one of our own sentences, and a team's name
 * comes from the visitor's teams. So a forged link cannot show its own text.
 */
export function arrivalMessage(query: URLSearchParams, teams: Session['teams']): string | undefined {
  const texts = dashboardTexts().arrival;
  switch (query.get('message')) {
    case 'welcome': {
      const team = teams.find(({ id }) => id === query.get('team'));
      return team === undefined ? undefined : texts.welcome(team.name);
    }
    case 'invitation-rejected':
      return texts.declined;
    // A link that only shows the invitation.
    case null:
      return query.has('invitation') ? texts.answerBelow : undefined;
    default:
      return undefined;
  }
}
