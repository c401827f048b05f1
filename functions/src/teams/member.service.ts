import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { recordAudit, type AuditAction } from '../audit/audit-log.store.ts';
import type { Caller } from '../http/caller.ts';
import { conflict, notFound } from '../http/errors.ts';
import { readPage, type Page, type PageOf } from '../page.ts';
import type { Services } from '../services.ts';
import { transact } from '../transaction.ts';
import { assertCanHandle, authorize, directly, type Membership } from './authorize.ts';
import { memberRef, membersRef, type Member } from './member.store.ts';
import { passOwnershipOn } from './ownership.ts';
import type { Action, Role } from './roles.ts';
import { billSeats } from './seat-billing.ts';
import { teamRef } from './team.store.ts';
import { memberViewOf, type MemberView } from './team.view.ts';

/** The members in the order in which they joined. */
export async function listMembers(
  services: Services,
  caller: Caller,
  teamId: string,
  page: Page,
): Promise<PageOf<MemberView>> {
  const firestore = await services.firestore();
  await authorize(directly, firestore, caller, teamId, 'member:list');
  const members = membersRef(firestore, teamId);
  return readPage(members, page, { by: 'joinedAt', direction: 'asc' }, (_uid, member) =>
    memberViewOf(member),
  );
}

/**
 * Gives a member another role.
 *
 * @throws HttpError as authorize; 404 for who is no member, 403 for a role above the caller's, 409 for the last owner
 */
export async function changeRole(
  services: Services,
  caller: Caller,
  teamId: string,
  uid: string,
  role: Role,
): Promise<MemberView> {
  return actOnMember(services, caller, { teamId, uid, action: 'member:update' }, async (change) => {
    const { transaction, firestore, actor, target } = change;
    assertCanHandle(actor.member, target.role);
    assertCanHandle(actor.member, role);
    if (target.role === role) return memberViewOf(target);
    if (target.role === 'owner') await resign(change);
    transaction.update(memberRef(firestore, teamId, uid), { role });
    change.record('member.role_changed', { from: target.role, to: role });
    return memberViewOf({ ...target, role });
  });
}

/**
 * Takes a member out of the team: somebody else, or the caller who leaves.
 *
 * @throws HttpError as authorize; 404 for who is no member, 403 for an owner unless by one, 409 for the last owner
 */
export async function removeMember(
  services: Services,
  caller: Pick<Caller, 'uid'>,
  teamId: string,
  uid: string,
): Promise<void> {
  const leaves = uid === caller.uid;
  const action = leaves ? 'member:leave' : 'member:remove';
  const team = await actOnMember(services, caller, { teamId, uid, action }, async (change) => {
    const { transaction, firestore, actor, target } = change;
    assertCanHandle(actor.member, target.role);
    if (target.role === 'owner') await resign(change);
    transaction.delete(memberRef(firestore, teamId, uid));
    change.record(leaves ? 'member.left' : 'member.removed', { role: target.role, email: target.email });
    return actor.team;
  });
  await billSeats(services, teamId, team);
}

/**
 * Hands the team over: the member becomes the owner who answers for it, and the caller an admin.
 *
 * @throws HttpError as authorize; 404 for who is no member, 409 for the caller
 */
export async function transferTeam(
  services: Services,
  caller: Caller,
  teamId: string,
  uid: string,
): Promise<void> {
  await actOnMember(services, caller, { teamId, uid, action: 'team:transfer' }, (change) => {
    if (uid === caller.uid) throw conflict('You own this team already.', 'already_owner');
    const { transaction, firestore } = change;
    transaction.update(memberRef(firestore, teamId, uid), { role: 'owner' });
    transaction.update(memberRef(firestore, teamId, caller.uid), { role: 'admin' });
    transaction.update(teamRef(firestore, teamId), { ownerId: uid });
    change.record('team.transferred', { from: change.target.role });
  });
}

/** A change to a member under way: everything that was read for it, in one transaction. */
interface Change {
  transaction: Transaction;
  firestore: Firestore;
  teamId: string;
  actor: Membership;
  target: Member;
  record: (action: AuditAction, details: Record<string, string | null>) => void;
}

async function actOnMember<Result>(
  services: Services,
  caller: Pick<Caller, 'uid'>,
  { teamId, uid, action }: { teamId: string; uid: string; action: Action },
  act: (change: Change) => Result | Promise<Result>,
): Promise<Result> {
  const firestore = await services.firestore();
  return transact(firestore, async (transaction) => {
    const actor = await authorize(transaction, firestore, caller, teamId, action);
    const target = (await transaction.get(memberRef(firestore, teamId, uid))).data();
    if (target === undefined) throw notFound('This person is not in the team.', 'member_not_found');
    const at = services.now();
    const record: Change['record'] = (did, details) => {
      recordAudit(transaction, firestore, {
        teamId,
        actorId: caller.uid,
        action: did,
        target: uid,
        at,
        keptDays: services.auditDays,
        details,
      });
    };
    return act({ transaction, firestore, teamId, actor, target, record });
  });
}

/** @throws HttpError 409 for the last owner */
async function resign({ transaction, firestore, teamId, actor, target }: Change): Promise<void> {
  if (!(await passOwnershipOn(transaction, firestore, { id: teamId, team: actor.team }, target.uid))) {
    throw conflict('A team keeps at least one owner.', 'last_owner');
  }
}
