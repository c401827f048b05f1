import * as z from 'zod';
import { empty, json } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { TEAM_REFUSALS, teamParams, uidSchema } from '../team.schema.ts';
import { transferView } from '../team.view.ts';
import { acceptTransfer, declineTransfer, offerTransfer, withdrawTransfer } from './transfer.service.ts';

const transfer = '/api/auth/teams/{teamId}/transfer';
const tag = 'Ownership';

const offerTransferRoute = route({
  id: 'offerTransfer',
  method: 'post',
  path: transfer,
  tag,
  summary: 'Offer ownership',
  description: 'Offers the team to a member. With `coOwner`, offers to make the member a co-owner.',
  params: teamParams,
  body: z.strictObject({ uid: uidSchema, coOwner: z.boolean().default(false) }),
  answers: { 200: json('The open offer.', transferView) },
  refusals: [...TEAM_REFUSALS, 'member_not_found', 'already_owner', 'transfer_pending'],
  handler: async ({ backend, caller, params: { teamId }, body }) => ({
    status: 200,
    body: await offerTransfer(backend, caller, teamId, body),
  }),
});

const withdrawTransferRoute = route({
  id: 'withdrawTransfer',
  method: 'delete',
  path: transfer,
  tag,
  summary: 'Withdraw the offer',
  description: 'Withdraws the open offer of ownership.',
  params: teamParams,
  answers: { 204: empty('The offer is withdrawn.') },
  refusals: [...TEAM_REFUSALS, 'transfer_not_found'],
  handler: async ({ backend, caller, params: { teamId } }) => {
    await withdrawTransfer(backend, caller, teamId);
    return { status: 204 };
  },
});

const acceptTransferRoute = route({
  id: 'acceptTransfer',
  method: 'post',
  path: `${transfer}/accept`,
  tag,
  summary: 'Accept the offer',
  description: 'Makes the caller an owner of the team.',
  params: teamParams,
  answers: { 204: empty('The caller is an owner.') },
  refusals: [
    ...TEAM_REFUSALS,
    'email_unverified',
    'team_limit',
    'transfer_not_found',
    'transfer_expired',
    'transfer_withdrawn',
  ],
  handler: async ({ backend, caller, params: { teamId } }) => {
    await acceptTransfer(backend, caller, teamId);
    return { status: 204 };
  },
});

const declineTransferRoute = route({
  id: 'declineTransfer',
  method: 'post',
  path: `${transfer}/decline`,
  tag,
  summary: 'Decline the offer',
  description: 'Declines the offer of ownership to the caller.',
  params: teamParams,
  answers: { 204: empty('The offer is declined.') },
  refusals: [...TEAM_REFUSALS, 'transfer_not_found'],
  handler: async ({ backend, caller, params: { teamId } }) => {
    await declineTransfer(backend, caller, teamId);
    return { status: 204 };
  },
});

export const transferRoutes: readonly Route[] = [
  offerTransferRoute,
  withdrawTransferRoute,
  acceptTransferRoute,
  declineTransferRoute,
];
