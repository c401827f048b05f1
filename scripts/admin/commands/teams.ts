import {
  changeOwner,
  deleteTeamAsOperator,
  describeTeam,
} from '../../../functions/src/admin/teams/teams.service.ts';
import { runningSubscriptions } from '../../../functions/src/billing/subscriptions/subscription.store.ts';
import { required, type Call, type Command } from '../command.ts';
import { findTeam, oneTeam, oneUser } from '../subjects.ts';
import { endPlan, grantPlan } from './plans.ts';
import { search } from './search.ts';

const newOwner = ({ backend, rest }: Call) => oneUser(backend, required('<user>', rest[0]));

export const TEAM_COMMANDS: Readonly<Record<string, Command>> = {
  'teams find': search,
  'teams show': {
    usage: '<team>',
    does: 'shows everything about a team',
    find: findTeam,
    run: ({ backend, id }) => describeTeam(backend, id),
  },
  'teams set-owner': {
    usage: '<team> <user>',
    does: 'makes a member the responsible owner',
    find: findTeam,
    plan: async (call) => {
      const [team, owner] = await Promise.all([oneTeam(call.backend, call.id), newOwner(call)]);
      return { team, newOwner: owner };
    },
    run: async (call) => changeOwner(call.backend, call.operator, call.id, (await newOwner(call)).uid),
  },
  'teams grant-plan': grantPlan('team'),
  'teams end-plan': endPlan('team'),
  'teams delete': {
    usage: '<team> --yes [--end-subscription]',
    does: 'deletes a team with all data',
    find: findTeam,
    needsStripe: true,
    final: true,
    plan: async ({ backend, id }) => {
      const { db } = backend;
      const [team, members, invitations, uploads, subscriptions] = await Promise.all([
        oneTeam(backend, id),
        db.members(id).count(),
        db.invitations.where('teamId', '==', id).count(),
        db.uploads.where('ownerId', '==', id).count(),
        runningSubscriptions(db, id).count(),
      ]);
      return { team, deletes: { members, invitations, uploads }, cancels: { subscriptions } };
    },
    run: async ({ backend, operator, id, options }) => {
      const endSubscription = options['end-subscription'] === true;
      while (!(await deleteTeamAsOperator(backend, operator, id, { endSubscription })));
    },
  },
};
