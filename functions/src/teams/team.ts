import type { Team, TransferOffer } from '../firestore/documents/team.ts';

export function isBeingDeleted(team: Pick<Team, 'deletingSince'>): boolean {
  return team.deletingSince !== undefined;
}

/**
 * True for a team with a document in `customers`: since it first opened a checkout or the portal, or got a plan. True
 * if the field exists, whatever its value.
 */
export function isCustomer(team: Pick<Team, 'hasRunningSubscription'>): boolean {
  // `billing/` writes false when it creates the team's document in `customers`. The field is missing before that.
  return team.hasRunningSubscription !== undefined;
}

export function isOfferExpired({ expiresAt }: TransferOffer, now: Date): boolean {
  return expiresAt <= now;
}
