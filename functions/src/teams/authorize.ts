import type { DocumentReference, DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import type { Caller } from '../auth/caller.ts';
import type { Reads } from '../firestore/db.ts';
import type { Member as MemberDocument } from '../firestore/documents/member.ts';
import type { Team as TeamDocument } from '../firestore/documents/team.ts';
import { refuse } from '../refusals.ts';
import { memberRef, type Member } from './member.store.ts';
import { can, canHandle, type Action, type Role } from './roles.ts';
import { teamRef, type Team } from './team.store.ts';

/** What is read through: a transaction where something is written afterwards, otherwise `directly`. */
export interface Reader {
  get: <Document>(ref: DocumentReference<Document>) => Promise<DocumentSnapshot<Document>>;
}

export const directly: Reader = { get: (ref) => ref.get() };

/** A team, and the caller's membership that allows the action. */
export interface Membership {
  team: Team;
  member: Member;
}

/**
 * Every route of a team begins here: reads the team and the caller's membership, and checks the action against the table
 * of roles. Reads two documents.
 *
 * A stranger cannot learn whether a team exists. A team that is being deleted only allows its deletion to continue.
 *
 * @param reads a transaction if something is written afterwards, otherwise the database
 * @throws Refusal `team_not_found` for a team that the caller is not in, `forbidden` if their role does not allow it
 */
export async function authorize(
  reads: Reads,
  { uid }: Pick<Caller, 'uid'>,
  teamId: string,
  action: Action,
): Promise<{ team: TeamDocument; member: MemberDocument }> {
  const [team, member] = await Promise.all([reads.teams.get(teamId), reads.members(teamId).get(uid)]);
  return assertAllowed(team, member, action);
}

/** The checks of `authorize`, for both forms of the documents. */
function assertAllowed<AnyTeam extends { deletingSince?: unknown }, AnyMember extends { role: Role }>(
  team: AnyTeam | undefined,
  member: AnyMember | undefined,
  action: Action,
): { team: AnyTeam; member: AnyMember } {
  const isGone = team?.deletingSince !== undefined && action !== 'team:delete';
  if (team === undefined || member === undefined || isGone) throw refuse('team_not_found');
  if (!can(member.role, action)) throw refuse('forbidden');
  return { team, member };
}

/**
 * Every route of a team begins here: loads the team with the caller's membership and judges the action by the table of
 * roles. Reads two documents.
 *
 * A stranger learns nothing, not even that there is such a team; and a team that is being deleted is gone already for
 * everything but the rest of its deletion.
 *
 * @throws Refusal 404 for a team that the caller is not in, 403 when their role does not allow the action
 */
export async function authorizeLegacy(
  reader: Reader,
  firestore: Firestore,
  { uid }: Pick<Caller, 'uid'>,
  teamId: string,
  action: Action,
): Promise<Membership> {
  const [team, member] = await Promise.all([
    reader.get(teamRef(firestore, teamId)).then((snapshot) => snapshot.data()),
    reader.get(memberRef(firestore, teamId, uid)).then((snapshot) => snapshot.data()),
  ]);
  return assertAllowed(team, member, action);
}

/** @throws Refusal 403 for a role above that of who acts */
export function assertCanHandle(actor: Pick<Member, 'role'>, role: Role): void {
  if (!canHandle(actor.role, role)) throw refuse('role_above_own', { role });
}
