import { givePlan, takePlan } from '../../../functions/src/admin/teams/teams.service.ts';
import { COMP_ID } from '../../../functions/src/billing/grants/comp.service.ts';
import { dateOf, required, type Command, type Options } from '../command.ts';
import { findTeam, findUser, oneTeam, oneUser } from '../subjects.ts';

const compOf = ({ plan, until }: Options) => ({
  planSlug: required('--plan', plan),
  until: dateOf(required('--until', until)),
});

const kinds = {
  user: { find: findUser, describe: oneUser },
  team: { find: findTeam, describe: oneTeam },
};

/** The command that gives a plan without payment to a user or a team. */
export const grantPlan = (kind: keyof typeof kinds): Command => ({
  usage: `<${kind}> --plan <slug> --until <date>`,
  does: 'gives a plan without payment until a date',
  find: kinds[kind].find,
  plan: async ({ backend, id, options }) => {
    const { planSlug: plan, until } = compOf(options);
    return { [kind]: await kinds[kind].describe(backend, id), plan, until: until.toISOString() };
  },
  run: ({ backend, operator, id, options }) => givePlan(backend, operator, id, compOf(options)),
});

/** The command that ends such a plan. */
export const endPlan = (kind: keyof typeof kinds): Command => ({
  usage: `<${kind}>`,
  does: 'ends a plan that was given',
  find: kinds[kind].find,
  plan: async ({ backend, id }) => {
    const [subject, comp] = await Promise.all([
      kinds[kind].describe(backend, id),
      backend.db.subscriptions(id).getIntact(COMP_ID),
    ]);
    return { [kind]: subject, plan: comp?.role, until: comp?.grace_until?.toISOString() };
  },
  run: ({ backend, operator, id }) => takePlan(backend, operator, id),
});
