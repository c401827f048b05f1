import type { Firestore, QueryDocumentSnapshot, Transaction } from 'firebase-admin/firestore';
import { recordAudit, SYSTEM, type AuditAction } from '../audit/audit-log.store.ts';
import { refuse } from '../refusals.ts';
import type { Backend } from '../backend.ts';
import { transact } from '../firestore/transaction.ts';
import { memberRef, membershipsOf, ownersOf, seniorMember, type Member } from './member.store.ts';
import { passOwnershipOn } from './ownership.ts';
import { endRights, type EndGrants } from './rights.ts';
import { billSeats } from './seat-billing.ts';
import { isBeingDeleted, teamIdOf, teamRef, teamsById, type Team } from './team.store.ts';

/**
 * What happens to a team whose last owner goes: while they ask for it they are refused; when they are gone already, the
 * most senior admin or else member becomes its owner.
 */
export type LastOwner = 'refuse' | 'replace';

/** Whom the log names: who deletes their account, or nobody for one who is gone. */
export function actorOf(uid: string, whenLastOwner: LastOwner): string {
  return whenLastOwner === 'refuse' ? uid : SYSTEM;
}

/**
 * Refuses who is the only owner of a team. Reads one document for each membership and team, and two for each team owned.
 *
 * @throws Refusal 409 that names the teams
 */
export async function assertNoLastOwner(firestore: Firestore, uid: string): Promise<void> {
  const memberships = await membershipsOf(firestore, uid).get();
  const owned = memberships.docs.filter((membership) => membership.get('role') === 'owner');
  const teams = await teamsById(
    firestore,
    owned.map(({ ref }) => teamIdOf(ref)),
  );
  const alone = await Promise.all(
    teams.map(async ({ id, team }) => {
      if (isBeingDeleted(team)) return [];
      const owners = await ownersOf(firestore, id).limit(2).get();
      return owners.size < 2 ? [team.name] : [];
    }),
  );
  const names = alone.flat();
  if (names.length > 0) throw lastOwner(names);
}

/**
 * Takes a user whose account goes out of all teams.
 *
 * @returns the teams in which nobody else is left, and in which the user remains until they are removed as a whole
 * @throws Refusal 409 for a last owner, if that is to be refused
 */
export async function departFromTeams(
  backend: Backend,
  uid: string,
  whenLastOwner: LastOwner,
): Promise<string[]> {
  const firestore = await backend.firestore();
  const memberships = await membershipsOf(firestore, uid).get();
  const left: string[] = [];
  for (const membership of memberships.docs) {
    const teamId = teamIdOf(membership.ref);
    const { auditDays } = backend;
    const endGrants = backend.hooks.endGrants;
    const departure = { firestore, uid, teamId, whenLastOwner, endGrants, now: backend.now(), auditDays };
    const { hasLeft, team } = await depart(departure);
    if (!hasLeft) left.push(teamId);
    else if (team) await billSeats(backend, teamId, team);
  }
  return left;
}

interface Departure {
  firestore: Firestore;
  uid: string;
  teamId: string;
  whenLastOwner: LastOwner;
  endGrants: EndGrants;
  now: Date;
  auditDays: number;
}

/** The user stays where nobody else is left to own the team. */
async function depart(departure: Departure): Promise<{ hasLeft: boolean; team: Team | undefined }> {
  const { firestore, uid, teamId } = departure;
  const ref = memberRef(firestore, teamId, uid);
  return transact(firestore, async (transaction) => {
    const team = (await transaction.get(teamRef(firestore, teamId))).data();
    const member = (await transaction.get(ref)).data();
    if (member === undefined) return { hasLeft: true, team };
    if (team === undefined) {
      transaction.delete(ref);
      return { hasLeft: true, team };
    }
    const writeEnd = await endRightsIn(transaction, departure, team);
    if (member.role === 'owner' && !(await passOn(transaction, departure, team))) {
      return { hasLeft: false, team };
    }
    transaction.delete(ref);
    record(transaction, departure, 'member.left', uid, { role: member.role });
    writeEnd();
    return { hasLeft: true, team };
  });
}

function endRightsIn(transaction: Transaction, departure: Departure, team: Team): Promise<() => void> {
  const { firestore, uid, teamId, whenLastOwner, endGrants, now, auditDays } = departure;
  const actorId = actorOf(uid, whenLastOwner);
  const loss = { transaction, firestore, teamId, uid, role: undefined, actorId, now, auditDays };
  return endRights(loss, team, endGrants);
}

/** Sees to it that a team has an owner without this one. */
async function passOn(transaction: Transaction, departure: Departure, team: Team): Promise<boolean> {
  const { firestore, uid, teamId, whenLastOwner } = departure;
  if (await passOwnershipOn(transaction, firestore, { id: teamId, team }, uid)) return true;
  if (isBeingDeleted(team)) return false;
  if (whenLastOwner === 'refuse') throw lastOwner([team.name]);
  const heir = await findHeir(transaction, firestore, teamId);
  if (heir === undefined) return false;
  transaction.update(memberRef(firestore, teamId, heir.id), { role: 'owner' });
  transaction.update(teamRef(firestore, teamId), { ownerId: heir.id });
  record(transaction, departure, 'member.role_changed', heir.id, { from: heir.data().role, to: 'owner' });
  return true;
}

async function findHeir(
  transaction: Transaction,
  firestore: Firestore,
  teamId: string,
): Promise<QueryDocumentSnapshot<Member> | undefined> {
  for (const role of ['admin', 'member'] as const) {
    const [heir] = (await transaction.get(seniorMember(firestore, teamId, role))).docs;
    if (heir !== undefined) return heir;
  }
  return undefined;
}

/** Without e-mail address: an entry outlives the account. */
function record(
  transaction: Transaction,
  { firestore, uid, teamId, whenLastOwner, now, auditDays }: Departure,
  action: AuditAction,
  target: string,
  details: Record<string, string>,
): void {
  const entry = {
    teamId,
    actorId: actorOf(uid, whenLastOwner),
    action,
    target,
    at: now,
    keptDays: auditDays,
  };
  recordAudit(transaction, firestore, { ...entry, details: { ...details, reason: 'account_deleted' } });
}

function lastOwner(names: readonly string[]) {
  return refuse('last_owner_of', { teams: names.join(', ') });
}
