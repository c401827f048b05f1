import type { Team, TransferOffer } from '../firestore/documents/team.ts';

export function isBeingDeleted(team: Pick<Team, 'deletingSince'>): boolean {
  return team.deletingSince !== undefined;
}

/** True for a team that has or had a subscription, a granted plan or a one-time purchase. */
export function hasBillingHistory(team: Pick<Team, 'subscribed'>): boolean {
  // Missing until the first of them, then true or false.
  return team.subscribed !== undefined;
}

export function isOfferExpired({ expiresAt }: TransferOffer, now: Date): boolean {
  return expiresAt <= now;
}
