import { readAuditLog } from '../../audit/audit-log.store.ts';
import type { Backend } from '../../backend.ts';
import { endComp, compPlan, type Comp, type CompedCustomer } from '../../billing/grants/comp.service.ts';
import { cleanTeamName } from '../../common/name.ts';
import type { Team } from '../../firestore/documents/team.ts';
import { refusal } from '../../refusals/refusals.ts';
import { deleteTeamInSteps } from '../../teams/delete.service.ts';
import { assignOwner } from '../../teams/transfer/assign.service.ts';
import type { AdminTeamView } from '../admin.view.ts';
import { describeBillingAndFiles } from '../billing-facts.service.ts';
import { recordActionIn, requireAccount, type Operator } from '../operator.service.ts';
import { listFirst } from '../stored-documents.ts';

/** Entries of the audit log in a description. */
const MAX_ENTRIES = 20;

/**
 * Describes a team with everything that is stored about it, each list up to 20 items.
 *
 * @throws Refusal `team_not_found`
 */
export async function describeTeam(backend: Backend, teamId: string): Promise<AdminTeamView> {
  const { db } = backend;
  const document = await requireTeam(backend, teamId);
  const [members, invitations, billingAndFiles, { items: auditEntries }] = await Promise.all([
    listFirst(db.members(teamId)),
    listFirst(db.invitations.where('teamId', '==', teamId), ['secretHash']),
    describeBillingAndFiles(backend, teamId),
    readAuditLog(db, teamId, { limit: MAX_ENTRIES }),
  ]);
  const { name, slug, ownerId, plan } = document;
  const team = { id: teamId, name, slug, ownerId, plan };
  return { team, document: { ...document }, members, invitations, ...billingAndFiles, auditEntries };
}

/**
 * Makes a member the responsible owner of a team, without the offer and consent that members need. The former
 * responsible owner becomes an admin.
 *
 * @throws Refusal `team_not_found`, `member_not_found`, `team_limit`
 */
export async function changeOwner(
  backend: Backend,
  operator: Operator,
  teamId: string,
  uid: string,
): Promise<void> {
  await assignOwner(backend, { teamId, uid, actorId: operator.id }, (tx, formerId) => {
    const details = { from: formerId };
    recordActionIn(tx, operator, backend.now(), {
      action: 'admin.owner_changed',
      target: uid,
      teamId,
      details,
    });
  });
}

/**
 * Deletes a team, as an owner could. The document of the team may be damaged, and the team may have no owner.
 *
 * @returns false if the rest is left for the next call
 * @throws Refusal `team_not_found`, `subscription_running`
 */
export async function deleteTeamAsOperator(
  backend: Backend,
  operator: Operator,
  teamId: string,
  options: { endSubscription: boolean },
): Promise<boolean> {
  return deleteTeamInSteps(backend, { actorId: operator.id }, teamId, options);
}

/**
 * Gives a user or a team a plan until a date, without payment.
 *
 * @param customerId a uid or the id of a team
 * @throws Refusal as `compPlan`; `user_not_found` if there is neither a user nor a team
 */
export async function givePlan(
  backend: Backend,
  operator: Operator,
  customerId: string,
  comp: Comp,
): Promise<void> {
  const customer = await compedCustomer(backend, customerId);
  const details = { plan: comp.planSlug, until: comp.until.toISOString() };
  await compPlan(backend, customer, comp, (tx) => {
    const entry = { action: 'admin.plan_given', ...placeOf(customer), details } as const;
    recordActionIn(tx, operator, backend.now(), entry);
  });
}

/**
 * Ends the plan that an operator gave, before its date.
 *
 * @throws Refusal `comp_not_found`
 */
export async function takePlan(backend: Backend, operator: Operator, customerId: string): Promise<void> {
  const isTeam = await backend.db.teams.exists(customerId);
  const place = placeOf({ customerId, type: isTeam ? 'team' : 'user' });
  const alsoWrite = (tx: Parameters<typeof recordActionIn>[0]) => {
    recordActionIn(tx, operator, backend.now(), { action: 'admin.plan_taken', ...place });
  };
  if (!(await endComp(backend, customerId, alsoWrite))) throw refusal('comp_not_found');
}

async function compedCustomer(backend: Backend, customerId: string): Promise<CompedCustomer> {
  const team = await backend.db.teams.getIntact(customerId);
  if (team !== undefined) {
    const { billingEmail = null, name } = team;
    return { customerId, type: 'team', email: billingEmail, name: cleanTeamName(name) };
  }
  const { email, displayName } = await requireAccount(backend, customerId);
  return { customerId, type: 'user', email: email?.toLowerCase() ?? null, name: displayName ?? null };
}

function placeOf({ customerId, type }: Pick<CompedCustomer, 'customerId' | 'type'>) {
  return { target: customerId, teamId: type === 'team' ? customerId : undefined };
}

async function requireTeam({ db }: Backend, teamId: string): Promise<Team> {
  const team = await db.teams.get(teamId);
  if (team === undefined) throw refusal('team_not_found');
  return team;
}
