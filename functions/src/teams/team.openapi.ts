import * as z from 'zod';
import { auditEntryView } from '../audit/audit-log.store.ts';
import { empty, json, merge, type ErrorCodes, type Operation } from '../openapi/operation.ts';
import { pageOf, pageSchema } from '../firestore/page.ts';
import { memberSchema, roleChangeSchema } from './member.routes.ts';
import { changeSchema, newTeamSchema } from './team.routes.ts';
import { teamIdSchema } from './team.schema.ts';
import { memberView, teamSummary, teamView, transferView } from './team.view.ts';
import { transferSchema } from './transfer.routes.ts';

const teams = '/api/auth/teams';
const team = `${teams}/{teamId}`;
const member = `${team}/members/{uid}`;

const params = z.object({ teamId: teamIdSchema });

/** Every route of a team may answer these: see authorize.ts. */
export const TEAM_ERRORS: ErrorCodes = { 403: ['forbidden'], 404: ['team_not_found'] };

export const TEAM_OPERATIONS: readonly Operation[] = [
  {
    id: 'createTeam',
    method: 'post',
    path: teams,
    summary: 'Makes a team that the caller owns.',
    body: newTeamSchema,
    answers: { 201: json('The new team.', teamSummary) },
    errors: { 400: ['slug_reserved'], 403: ['anonymous_account', 'team_limit'], 409: ['slug_taken'] },
  },
  {
    id: 'listTeams',
    method: 'get',
    path: teams,
    summary: "Lists the caller's teams in the order in which they joined them.",
    query: pageSchema,
    answers: { 200: json('One page of them.', pageOf('teams', teamSummary)) },
  },
  {
    id: 'getTeam',
    method: 'get',
    path: team,
    summary: 'Tells a team.',
    params,
    answers: { 200: json('The team.', teamView) },
    errors: TEAM_ERRORS,
  },
  {
    id: 'changeTeam',
    method: 'patch',
    path: team,
    summary: "Changes a team's name or slug.",
    params,
    body: changeSchema,
    answers: { 200: json('The team as it is now.', teamView) },
    errors: merge(TEAM_ERRORS, { 400: ['slug_reserved'], 409: ['slug_taken'] }),
  },
  {
    id: 'deleteTeam',
    method: 'delete',
    path: team,
    summary: 'Deletes a team with its members and invitations.',
    params,
    answers: {
      202: json('Much of it is gone; ask again.', z.strictObject({ status: z.literal('deleting') })),
      204: empty('It is gone.'),
    },
    errors: merge(TEAM_ERRORS, { 409: ['subscription_running'], 503: ['storage_unavailable'] }),
  },
  {
    id: 'listAuditLog',
    method: 'get',
    path: `${team}/audit`,
    summary: 'Tells who did what to a team, latest first.',
    params,
    query: pageSchema,
    answers: { 200: json('One page of entries.', pageOf('entries', auditEntryView)) },
    errors: TEAM_ERRORS,
  },
  {
    id: 'listMembers',
    method: 'get',
    path: `${team}/members`,
    summary: "Lists a team's members in the order in which they joined.",
    params,
    query: pageSchema,
    answers: { 200: json('One page of them.', pageOf('members', memberView)) },
    errors: TEAM_ERRORS,
  },
  {
    id: 'changeRole',
    method: 'patch',
    path: member,
    summary: "Changes a member's role.",
    params: memberSchema,
    body: roleChangeSchema,
    answers: { 200: json('The member as they are now.', memberView) },
    errors: merge(TEAM_ERRORS, { 404: ['member_not_found'], 409: ['last_owner', 'consent_required'] }),
  },
  {
    id: 'removeMember',
    method: 'delete',
    path: member,
    summary: "Removes a member; with one's own uid one leaves.",
    params: memberSchema,
    answers: { 204: empty('They are out.') },
    errors: merge(TEAM_ERRORS, { 404: ['member_not_found'], 409: ['last_owner'] }),
  },
  {
    id: 'offerTransfer',
    method: 'post',
    path: `${team}/transfer`,
    summary: 'Offers a member to become the owner who answers for the team, or a co-owner.',
    params,
    body: transferSchema,
    answers: { 200: json('The offer, which waits for their answer.', transferView) },
    errors: merge(TEAM_ERRORS, { 404: ['member_not_found'], 409: ['already_owner', 'transfer_pending'] }),
  },
  {
    id: 'withdrawTransfer',
    method: 'delete',
    path: `${team}/transfer`,
    summary: 'Withdraws the offer of the team.',
    params,
    answers: { 204: empty('It is withdrawn.') },
    errors: merge(TEAM_ERRORS, { 404: ['transfer_not_found'] }),
  },
  {
    id: 'acceptTransfer',
    method: 'post',
    path: `${team}/transfer/accept`,
    summary: 'Accepts the offer of the team to the caller.',
    params,
    answers: { 204: empty('The caller is an owner.') },
    errors: merge(TEAM_ERRORS, {
      403: ['email_unverified', 'team_limit'],
      404: ['transfer_not_found'],
      410: ['transfer_expired', 'transfer_withdrawn'],
    }),
  },
  {
    id: 'declineTransfer',
    method: 'post',
    path: `${team}/transfer/decline`,
    summary: 'Declines the offer of the team to the caller.',
    params,
    answers: { 204: empty('It is declined.') },
    errors: merge(TEAM_ERRORS, { 404: ['transfer_not_found'] }),
  },
];
