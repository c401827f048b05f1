import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { recordAudit, type AuditAction } from '../audit/audit-log.store.ts';
import type { Caller } from '../auth/caller.ts';
import { refuse } from '../refusals.ts';
import { readPageLegacy, type Page, type PageOf } from '../firestore/page.ts';
import type { Backend } from '../backend.ts';
import { transact } from '../firestore/transaction.ts';
import { assertCanHandle, authorizeLegacy, directly, type Membership } from './authorize.ts';
import { memberRef, membersRef, type Member } from './member.store.ts';
import { passOwnershipOn } from './ownership.ts';
import { endRights } from './rights.ts';
import { canHandle, type Action, type Role } from './roles.ts';
import { billSeats } from './seat-billing.ts';
import { memberViewOf, type MemberView } from './team.view.ts';

/** The members in the order in which they joined. */
export async function listMembers(
  backend: Backend,
  caller: Caller,
  teamId: string,
  page: Page,
): Promise<PageOf<MemberView>> {
  const firestore = await backend.firestore();
  await authorizeLegacy(directly, firestore, caller, teamId, 'member:list');
  const members = membersRef(firestore, teamId);
  return readPageLegacy(members, page, { by: 'joinedAt', direction: 'asc' }, (_uid, member) =>
    memberViewOf(member),
  );
}

/** Names a member of a team. */
export interface MemberKey {
  teamId: string;
  uid: string;
}

/**
 * Gives a member another role. A member becomes an owner by consent only: by accepting an invitation or an offer.
 *
 * @throws Refusal as authorize; 404 for no member, 403 for a role above the caller's, 409 for the last owner and for a
 *   new owner
 */
export async function changeRole(
  backend: Backend,
  caller: Caller,
  key: MemberKey,
  role: Role,
): Promise<MemberView> {
  return actOnMember(backend, caller, { ...key, action: 'member:update' }, async (change) => {
    const { transaction, firestore, actor, target } = change;
    assertCanHandle(actor.member, target.role);
    assertCanHandle(actor.member, role);
    if (target.role === role) return memberViewOf(target);
    if (role === 'owner') {
      throw refuse('consent_required');
    }
    const isFall = canHandle(target.role, role);
    const writeEnd = isFall ? await change.endRights(role) : undefined;
    if (target.role === 'owner') await resign(change);
    transaction.update(memberRef(firestore, key.teamId, key.uid), { role });
    change.record('member.role_changed', { from: target.role, to: role });
    writeEnd?.();
    return memberViewOf({ ...target, role });
  });
}

/**
 * Removes a member from the team: somebody else, or the caller who leaves.
 *
 * @throws Refusal as authorize; 404 for no member, 403 for an owner unless by one, 409 for the last owner
 */
export async function removeMember(
  backend: Backend,
  caller: Pick<Caller, 'uid'>,
  key: MemberKey,
): Promise<void> {
  const { teamId, uid } = key;
  const leaves = uid === caller.uid;
  const action = leaves ? 'member:leave' : 'member:remove';
  const team = await actOnMember(backend, caller, { ...key, action }, async (change) => {
    const { transaction, firestore, actor, target } = change;
    assertCanHandle(actor.member, target.role);
    const writeEnd = await change.endRights(undefined);
    if (target.role === 'owner') await resign(change);
    transaction.delete(memberRef(firestore, teamId, uid));
    change.record(leaves ? 'member.left' : 'member.removed', { role: target.role, email: target.email });
    writeEnd();
    return actor.team;
  });
  await billSeats(backend, teamId, team);
}

/** A change to a member under way: everything that was read for it, in one transaction. */
interface Change {
  transaction: Transaction;
  firestore: Firestore;
  teamId: string;
  actor: Membership;
  target: Member;
  record: (action: AuditAction, details: Record<string, string | null>) => void;
  /** Ends what the target may no longer grant with this role, or without membership; see rights.ts. */
  endRights: (role: Role | undefined) => Promise<() => void>;
}

async function actOnMember<Result>(
  backend: Backend,
  caller: Pick<Caller, 'uid'>,
  { teamId, uid, action }: MemberKey & { action: Action },
  act: (change: Change) => Result | Promise<Result>,
): Promise<Result> {
  const firestore = await backend.firestore();
  return transact(firestore, async (transaction) => {
    const actor = await authorizeLegacy(transaction, firestore, caller, teamId, action);
    const target = (await transaction.get(memberRef(firestore, teamId, uid))).data();
    if (target === undefined) throw refuse('member_not_found');
    const at = backend.now();
    const record: Change['record'] = (did, details) => {
      recordAudit(transaction, firestore, {
        teamId,
        actorId: caller.uid,
        action: did,
        target: uid,
        at,
        keptDays: backend.auditDays,
        details,
      });
    };
    const loss = {
      transaction,
      firestore,
      teamId,
      uid,
      actorId: caller.uid,
      now: at,
      auditDays: backend.auditDays,
    };
    return act({
      transaction,
      firestore,
      teamId,
      actor,
      target,
      record,
      endRights: (role) => endRights({ ...loss, role }, actor.team, backend.hooks.ofMember),
    });
  });
}

/** @throws Refusal 409 for the last owner */
async function resign({ transaction, firestore, teamId, actor, target }: Change): Promise<void> {
  if (!(await passOwnershipOn(transaction, firestore, { id: teamId, team: actor.team }, target.uid))) {
    throw refuse('last_owner');
  }
}
