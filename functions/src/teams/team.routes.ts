import * as z from 'zod';
import { auditEntryView } from '../audit/audit-entry.view.ts';
import { emailSchema } from '../common/email.ts';
import { nameSchema } from '../common/name.ts';
import { pageRequestSchema } from '../firestore/page.ts';
import { empty, json } from '../http/answer.ts';
import { listPageView } from '../http/list-page-view.ts';
import { route, type Route } from '../http/route.ts';
import { booleanText } from '../http/validate.ts';
import { deleteTeamInSteps } from './delete.service.ts';
import { slugSchema } from './slug.ts';
import { TEAM_REFUSALS, teamParams } from './team.schema.ts';
import { changeTeam, describeTeam, listAuditLog, listTeams, createOwnTeam } from './team.service.ts';
import { teamSummary, teamView } from './team.view.ts';

const teams = '/api/auth/teams';
const team = `${teams}/{teamId}`;
const tag = 'Teams';

const changeSchema = z
  .strictObject({ name: nameSchema, slug: slugSchema, billingEmail: emailSchema.nullable() })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name what to change: name, slug or billingEmail.');

const createTeamRoute = route({
  id: 'createTeam',
  method: 'post',
  path: teams,
  tag,
  summary: 'Create a team',
  description: 'Creates a team that the caller owns. A missing slug is derived from the name.',
  body: z.strictObject({ name: nameSchema, slug: slugSchema.optional() }),
  answers: { 201: json('The new team.', teamSummary) },
  refusals: ['slug_reserved', 'anonymous_account', 'team_limit', 'slug_taken'],
  handler: async ({ backend, caller, body }) => ({
    status: 201,
    body: await createOwnTeam(backend, caller, body),
  }),
});

const listTeamsRoute = route({
  id: 'listTeams',
  method: 'get',
  path: teams,
  tag,
  summary: 'List teams',
  description: "Lists the caller's teams in the order in which they joined them.",
  query: pageRequestSchema,
  answers: { 200: json('One page of teams.', listPageView('teams', teamSummary)) },
  handler: async ({ backend, caller, query }) => {
    const { items, nextCursor } = await listTeams(backend, caller, query);
    return { status: 200, body: { teams: items, nextCursor } };
  },
});

const getTeamRoute = route({
  id: 'getTeam',
  method: 'get',
  path: team,
  tag,
  summary: 'Get a team',
  description: 'Describes a team, its plan and its open offer of ownership.',
  params: teamParams,
  answers: { 200: json('The team.', teamView) },
  refusals: TEAM_REFUSALS,
  handler: async ({ backend, caller, params: { teamId } }) => ({
    status: 200,
    body: await describeTeam(backend, caller, teamId),
  }),
});

const changeTeamRoute = route({
  id: 'changeTeam',
  method: 'patch',
  path: team,
  tag,
  summary: 'Change a team',
  description:
    'Changes the name, the slug, or the address that receives the invoices. A missing field stays as it is. Null removes the address.',
  impersonation: 'allowed',
  params: teamParams,
  body: changeSchema,
  answers: { 200: json('The changed team.', teamView) },
  refusals: [...TEAM_REFUSALS, 'slug_reserved', 'slug_taken'],
  handler: async ({ backend, caller, params: { teamId }, body }) => ({
    status: 200,
    body: await changeTeam(backend, caller, teamId, body),
  }),
});

const deleteTeamRoute = route({
  id: 'deleteTeam',
  method: 'delete',
  path: team,
  tag,
  summary: 'Delete a team',
  description:
    'Deletes a team with its members, invitations and files. A large team needs several requests. A subscription of the team ends immediately, without a refund, and a final invoice charges what is on no invoice yet; the request must confirm this with `endSubscription=true`.',
  params: teamParams,
  query: z.strictObject({ endSubscription: booleanText.optional() }),
  answers: {
    202: json(
      'A part is deleted. Send the request again.',
      z.strictObject({ status: z.literal('deleting') }),
    ),
    204: empty('The team is deleted.'),
  },
  refusals: [...TEAM_REFUSALS, 'subscription_running', 'billing_unavailable', 'storage_unavailable'],
  handler: async ({ backend, caller, params: { teamId }, query }) => {
    const endSubscription = query.endSubscription === 'true';
    const isDone = await deleteTeamInSteps(backend, caller, teamId, { endSubscription });
    return isDone ? { status: 204 } : { status: 202, body: { status: 'deleting' as const } };
  },
});

const listAuditLogRoute = route({
  id: 'listAuditLog',
  method: 'get',
  path: `${team}/audit`,
  tag,
  summary: 'List the audit log',
  description: 'Lists who did what in a team, latest first.',
  params: teamParams,
  query: pageRequestSchema,
  answers: { 200: json('One page of entries.', listPageView('entries', auditEntryView)) },
  refusals: TEAM_REFUSALS,
  handler: async ({ backend, caller, params: { teamId }, query }) => {
    const { items: entries, nextCursor } = await listAuditLog(backend, caller, teamId, query);
    return { status: 200, body: { entries, nextCursor } };
  },
});

export const teamRoutes: readonly Route[] = [
  createTeamRoute,
  listTeamsRoute,
  getTeamRoute,
  changeTeamRoute,
  deleteTeamRoute,
  listAuditLogRoute,
];
