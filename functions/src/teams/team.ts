import type { Team, TransferOffer } from '../firestore/documents/team.ts';

export function isBeingDeleted(team: Pick<Team, 'deletingSince'>): boolean {
  return team.deletingSince !== undefined;
}

/**
 * True for a team that has or had a subscription, a granted plan, or something bought once. `subscribed` is missing
 * until the first of them. From then on it is true or false.
 */
export function hasBillingHistory(team: Pick<Team, 'subscribed'>): boolean {
  return team.subscribed !== undefined;
}

export function isOfferExpired({ expiresAt }: TransferOffer, now: Date): boolean {
  return expiresAt <= now;
}
