import * as z from 'zod';
import { documentIdSchema } from '../../firestore/document-id.ts';
import { LAST_TIME } from '../../firestore/writes.ts';
import { empty, json } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { booleanText } from '../../http/validate.ts';
import { teamParams, uidSchema } from '../../teams/team.schema.ts';
import { adminTeamView } from '../admin.view.ts';
import { operatorOf } from '../operator.service.ts';
import { changeOwner, deleteTeamAsOperator, describeTeam, givePlan, takePlan } from './teams.service.ts';

const tag = 'Admin';
const team = '/api/admin/teams/{teamId}';
const plan = '/api/admin/customers/{customerId}/plan';
const customerParams = z.object({ customerId: documentIdSchema });

const adminGetTeamRoute = route({
  id: 'adminGetTeam',
  method: 'get',
  path: team,
  tag,
  summary: 'Describe a team',
  description: 'Describes a team with everything that is stored about it. Each list has at most 20 items.',
  operatorsOnly: true,
  params: teamParams,
  answers: { 200: json('The team.', adminTeamView) },
  refusals: ['team_not_found'],
  handler: async ({ backend, params: { teamId } }) => ({
    status: 200,
    body: await describeTeam(backend, teamId),
  }),
});

const adminChangeOwnerRoute = route({
  id: 'adminChangeOwner',
  method: 'post',
  path: `${team}/owner`,
  tag,
  summary: "Change a team's owner",
  description:
    'Makes a member the responsible owner without their consent, such as after the owner has left the company. The former owner becomes an admin.',
  operatorsOnly: true,
  params: teamParams,
  body: z.strictObject({ uid: uidSchema }),
  answers: { 204: empty('The owner is changed.') },
  refusals: ['team_not_found', 'member_not_found', 'team_limit'],
  handler: async ({ backend, caller, params: { teamId }, body: { uid } }) => {
    await changeOwner(backend, operatorOf(caller), teamId, uid);
    return { status: 204 };
  },
});

const adminDeleteTeamRoute = route({
  id: 'adminDeleteTeam',
  method: 'delete',
  path: team,
  tag,
  summary: 'Delete a team',
  description:
    'Deletes a team, as an owner could. A large team needs several requests. A subscription must be ended with `endSubscription=true`.',
  operatorsOnly: true,
  params: teamParams,
  query: z.strictObject({ endSubscription: booleanText.optional() }),
  answers: {
    202: json(
      'A part is deleted. Send the request again.',
      z.strictObject({ status: z.literal('deleting') }),
    ),
    204: empty('The team is deleted.'),
  },
  refusals: ['team_not_found', 'subscription_running', 'billing_unavailable', 'storage_unavailable'],
  handler: async ({ backend, caller, params: { teamId }, query }) => {
    const options = { endSubscription: query.endSubscription === 'true' };
    const isDone = await deleteTeamAsOperator(backend, operatorOf(caller), teamId, options);
    return isDone ? { status: 204 } : { status: 202, body: { status: 'deleting' as const } };
  },
});

const adminGivePlanRoute = route({
  id: 'adminGivePlan',
  method: 'post',
  path: plan,
  tag,
  summary: 'Give a plan',
  description:
    'Gives a user or a team a plan until a date, without payment. It never lowers a plan that is paid, and ends by itself.',
  operatorsOnly: true,
  params: customerParams,
  body: z.strictObject({
    plan: z.string(),
    // An invalid time is refused by `datetime` alone.
    until: z.iso.datetime({ offset: true }).refine((time) => !(new Date(time) > LAST_TIME), 'is too late'),
  }),
  answers: { 204: empty('The plan is given.') },
  refusals: [
    'user_not_found',
    'plan_not_found',
    'plan_is_free',
    'plan_not_for_subject',
    'comp_in_the_past',
    'customer_closed',
  ],
  handler: async ({ backend, caller, params: { customerId }, body }) => {
    const comp = { planSlug: body.plan, until: new Date(body.until) };
    await givePlan(backend, operatorOf(caller), customerId, comp);
    return { status: 204 };
  },
});

const adminTakePlanRoute = route({
  id: 'adminTakePlan',
  method: 'delete',
  path: plan,
  tag,
  summary: 'End a given plan',
  description: 'Ends the plan that an operator gave, before its date.',
  operatorsOnly: true,
  params: customerParams,
  answers: { 204: empty('The plan has ended.') },
  refusals: ['comp_not_found'],
  handler: async ({ backend, caller, params: { customerId } }) => {
    await takePlan(backend, operatorOf(caller), customerId);
    return { status: 204 };
  },
});

export const adminTeamRoutes: readonly Route[] = [
  adminGetTeamRoute,
  adminChangeOwnerRoute,
  adminDeleteTeamRoute,
  adminGivePlanRoute,
  adminTakePlanRoute,
];
