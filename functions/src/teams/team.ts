import type { Team, TransferOffer } from '../firestore/documents/team.ts';

export function isBeingDeleted(team: Pick<Team, 'deletingSince'>): boolean {
  return team.deletingSince !== undefined;
}

/** True for a team that can pay, because it has opened a checkout or the portal, or was given a plan. */
export function hasCustomer(team: Pick<Team, 'subscribed'>): boolean {
  // `billing/` writes the field together with the first document of the customer.
  return team.subscribed !== undefined;
}

export function isOfferExpired({ expiresAt }: TransferOffer, now: Date): boolean {
  return expiresAt <= now;
}
