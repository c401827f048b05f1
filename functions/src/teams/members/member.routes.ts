import * as z from 'zod';
import { pageRequestSchema } from '../../firestore/page.ts';
import { empty, json } from '../../http/answer.ts';
import { listPageView } from '../../http/list-page-view.ts';
import { route, type Route } from '../../http/route.ts';
import { roleSchema, TEAM_REFUSALS, teamParams, uidSchema } from '../team.schema.ts';
import { memberView } from '../team.view.ts';
import { changeRole, listMembers, removeMember } from './member.service.ts';

const members = '/api/auth/teams/{teamId}/members';
const member = `${members}/{uid}`;
const memberParams = teamParams.extend({ uid: uidSchema });
const tag = 'Members';

const listMembersRoute = route({
  id: 'listMembers',
  method: 'get',
  path: members,
  tag,
  summary: 'List members',
  description: 'Lists the members of a team in the order in which they joined.',
  params: teamParams,
  query: pageRequestSchema,
  answers: { 200: json('One page of members.', listPageView('members', memberView)) },
  refusals: TEAM_REFUSALS,
  handler: async ({ backend, caller, params: { teamId }, query }) => {
    const { items, nextCursor } = await listMembers(backend, caller, teamId, query);
    return { status: 200, body: { members: items, nextCursor } };
  },
});

const changeRoleRoute = route({
  id: 'changeRole',
  method: 'patch',
  path: member,
  tag,
  summary: 'Change a role',
  description: 'Changes the role of a member. Ownership needs consent: offer a transfer instead.',
  params: memberParams,
  body: z.strictObject({ role: roleSchema }),
  answers: { 200: json('The changed member.', memberView) },
  refusals: [...TEAM_REFUSALS, 'member_not_found', 'last_owner', 'consent_required'],
  handler: async ({ backend, caller, params, body: { role } }) => ({
    status: 200,
    body: await changeRole(backend, caller, params, role),
  }),
});

const removeMemberRoute = route({
  id: 'removeMember',
  method: 'delete',
  path: member,
  tag,
  summary: 'Remove a member',
  description: 'Removes a member from a team. A caller who sends their own uid leaves the team.',
  params: memberParams,
  answers: { 204: empty('The member is removed.') },
  refusals: [...TEAM_REFUSALS, 'member_not_found', 'last_owner'],
  handler: async ({ backend, caller, params }) => {
    await removeMember(backend, caller, params);
    return { status: 204 };
  },
});

export const memberRoutes: readonly Route[] = [listMembersRoute, changeRoleRoute, removeMemberRoute];
