import type { Team, TransferOffer } from '../firestore/documents/team.ts';

export function isBeingDeleted(team: Pick<Team, 'deletingSince'>): boolean {
  return team.deletingSince !== undefined;
}

/**
 * True for a team that has or had a subscription, a granted plan, or something bought once. The first of them sets
 * `subscribed`, to true or false.
 */
export function hasBought(team: Pick<Team, 'subscribed'>): boolean {
  return team.subscribed !== undefined;
}

export function isOfferExpired({ expiresAt }: TransferOffer, now: Date): boolean {
  return expiresAt <= now;
}
