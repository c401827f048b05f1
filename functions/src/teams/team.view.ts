import type { Role } from '@hearth/shared/roles';
import * as z from 'zod';
import { addOnsView } from '../common/add-ons.ts';
import { instant } from '../common/instant.ts';
import { cleanName } from '../common/name.ts';
import type { Member } from '../firestore/documents/member.ts';
import type { Team, TransferOffer } from '../firestore/documents/team.ts';
import type { Config } from '../settings/config.ts';
import { planOrFree } from '../settings/plans.ts';
import { roleSchema } from './team.schema.ts';
import { isOfferExpired } from './team.ts';

export const teamSummary = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    role: roleSchema.describe('The role of the caller.'),
  })
  .meta({ id: 'TeamSummary' });

export type TeamSummary = z.output<typeof teamSummary>;

export const transferView = z
  .strictObject({
    from: z.string().describe('The uid of the owner who offers.'),
    to: z.string().describe('The uid of the member who may accept.'),
    coOwner: z.boolean().describe('True if the owner who offers stays an owner after the member accepts.'),
    offeredAt: instant,
    expiresAt: instant,
  })
  .meta({ id: 'TransferOffer' });

export type TransferView = z.output<typeof transferView>;

export const teamView = teamSummary
  .extend({
    ownerId: z.string().describe('The uid of the responsible owner.'),
    plan: z.string(),
    addOns: addOnsView,
    seatLimit: z.int(),
    billingEmail: z
      .string()
      .nullable()
      .describe('The billing address. If it is null, the invoices go to the address of a member.'),
    createdAt: instant,
    transfer: transferView.nullable().describe('The open transfer offer; null without an open offer.'),
  })
  .meta({ id: 'Team' });

export type TeamView = z.output<typeof teamView>;

export const memberView = z
  .strictObject({
    uid: z.string(),
    role: roleSchema,
    email: z.string().nullable(),
    displayName: z.string().nullable(),
    joinedAt: instant,
  })
  .meta({ id: 'Member' });

export type MemberView = z.output<typeof memberView>;

export function teamSummaryOf(
  id: string,
  { name, slug }: Pick<Team, 'name' | 'slug'>,
  role: Role,
): TeamSummary {
  return { id, name, slug, role };
}

/** A team as the caller sees it. */
interface TeamOfCaller {
  id: string;
  team: Team;
  /** The role of the caller. */
  role: Role;
  now: Date;
}

export function teamViewOf(
  { plans }: Pick<Config, 'plans'>,
  { id, team, role, now }: TeamOfCaller,
): TeamView {
  const { ownerId, plan, addOns = {}, seatLimit, billingEmail = null, createdAt, transfer } = team;
  return {
    ...teamSummaryOf(id, team, role),
    ownerId,
    plan: planOrFree(plans, plan).slug,
    addOns,
    seatLimit,
    billingEmail,
    createdAt: createdAt.toISOString(),
    transfer: transfer && !isOfferExpired(transfer, now) ? offerViewOf(transfer) : null,
  };
}

export function offerViewOf({ from, to, coOwner, offeredAt, expiresAt }: TransferOffer): TransferView {
  return {
    from,
    to,
    coOwner,
    offeredAt: offeredAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** Cleans the name, because the document may be older than the current rules for names. */
export function memberViewOf({ uid, role, email, displayName, joinedAt }: Member): MemberView {
  return { uid, role, email, displayName: cleanName(displayName), joinedAt: joinedAt.toISOString() };
}
