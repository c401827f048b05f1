import type { AuditEntryView } from '../audit/audit-entry.view.ts';
import { readAuditLog } from '../audit/audit-log.store.ts';
import { requireNotAnonymous } from '../auth/anonymous.ts';
import { verifiedEmailOf, type Caller } from '../auth/caller.ts';
import { requireExistingUser } from '../auth/users/require-existing-user.ts';
import type { Backend } from '../backend.ts';
import type { Tx } from '../firestore/db.ts';
import type { Team } from '../firestore/documents/team.ts';
import type { PageRequest, PageOf } from '../firestore/page.ts';
import { REMOVED } from '../firestore/writes.ts';
import { refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { freePlan } from '../settings/plans.ts';
import { authorize } from './authorize.store.ts';
import { enqueueTeamContactSyncOrLog } from './enqueue-billing-syncs.ts';
import { refreshMemberAddress } from './members/member-details.store.ts';
import { requireUnreserved, slugCandidates } from './slug.ts';
import { requireBelowTeamLimit, writeTeam, releaseSlug, takeSlug } from './team.store.ts';
import { teamSummaryOf, teamViewOf, type TeamSummary, type TeamView } from './team.view.ts';
import { readPageOfTeams } from './teams-of-user.store.ts';

export interface NewTeam {
  name: string;
  slug?: string | undefined;
}

/**
 * Creates a team with the caller as its owner and first member.
 *
 * @throws Refusal `anonymous_account`, `team_limit`, `slug_reserved`, `slug_taken`; as `requireExistingUser`
 */
export async function createOwnTeam(
  backend: Backend,
  caller: Caller,
  { name, slug: wanted }: NewTeam,
): Promise<TeamSummary> {
  const { config, db } = backend;
  if (!config.anonymousTeams) requireNotAnonymous(caller);
  if (wanted !== undefined) requireUnreserved(wanted);
  const candidates = wanted === undefined ? slugCandidates(name) : [wanted];
  const id = db.teams.newId();
  return db.run(async (tx) => {
    await Promise.all([
      requireExistingUser(backend, tx, caller.uid),
      requireBelowTeamLimit(tx, caller.uid, config.teamLimit),
    ]);
    const slug = await firstFreeSlug(tx, candidates);
    const at = backend.now();
    const team: Team = { ...newTeamOf(config, caller), name, slug, createdAt: at };
    writeTeam(tx, id, team);
    tx.members(id).create(caller.uid, {
      uid: caller.uid,
      role: 'owner',
      email: verifiedEmailOf(caller),
      displayName: caller.displayName ?? null,
      joinedAt: at,
    });
    const details = { name, slug };
    tx.audit.record({ teamId: id, actorId: caller.uid, action: 'team.created', target: id, at, details });
    return teamSummaryOf(id, team, 'owner');
  });
}

/** Lists the caller's teams in the order in which they joined them. */
export async function listTeams(
  { db }: Backend,
  caller: Caller,
  page: PageRequest,
): Promise<PageOf<TeamSummary>> {
  const { items, nextCursor } = await readPageOfTeams(db, caller.uid, page);
  return { items: items.map(({ id, team, role }) => teamSummaryOf(id, team, role)), nextCursor };
}

/** @throws Refusal as `authorize` */
export async function describeTeam(backend: Backend, caller: Caller, teamId: string): Promise<TeamView> {
  const { team, member } = await authorize(backend.db, caller, teamId, 'team:read');
  return teamViewOf(backend.config, { id: teamId, team, role: member.role, now: backend.now() });
}

/** New values of a team. A missing field stays as it is. */
export interface TeamChange {
  name?: string | undefined;
  slug?: string | undefined;
  /** Null removes the billing address. */
  billingEmail?: string | null | undefined;
}

/**
 * Changes the name, the slug or the billing address of a team. A contact sync copies a new name or billing address to
 * the Stripe customer.
 *
 * @throws Refusal as `authorize`; `slug_reserved`, `slug_taken`
 */
export async function changeTeam(
  backend: Backend,
  caller: Caller,
  teamId: string,
  change: TeamChange,
): Promise<TeamView> {
  if (change.slug !== undefined) requireUnreserved(change.slug);
  const at = backend.now();
  const { team, role, changed, details } = await backend.db.run(async (tx) => {
    const { team, member } = await authorize(tx, caller, teamId, 'team:update');
    // `removeMember` compares the billing address with the address in the membership, so that must be current.
    if (change.billingEmail !== undefined) refreshMemberAddress(tx, teamId, caller, member);
    const changed = withChange(team, change);
    const details = auditDetailsOf(team, changed);
    if (Object.keys(details).length > 0) {
      await storeChange(tx, teamId, team, changed);
      tx.audit.record({ teamId, actorId: caller.uid, action: 'team.updated', target: teamId, at, details });
    }
    return { team, role: member.role, changed, details };
  });
  if ('name' in details || 'billingEmail' in details)
    await enqueueTeamContactSyncOrLog(backend, teamId, team);
  return teamViewOf(backend.config, { id: teamId, team: changed, role, now: at });
}

function withChange(team: Team, { name, slug, billingEmail }: TeamChange): Team {
  const { billingEmail: before = null, ...others } = team;
  const after = billingEmail === undefined ? before : billingEmail;
  return {
    ...others,
    name: name ?? team.name,
    slug: slug ?? team.slug,
    ...(after !== null && { billingEmail: after }),
  };
}

/** @throws Refusal `slug_taken` */
async function storeChange(tx: Tx, teamId: string, team: Team, changed: Team): Promise<void> {
  const { name, slug, billingEmail } = changed;
  if (slug !== team.slug) {
    takeSlug(tx, await firstFreeSlug(tx, [slug]), teamId);
    releaseSlug(tx, team.slug);
  }
  tx.teams.update(teamId, { name, slug, billingEmail: billingEmail ?? REMOVED });
}

/**
 * Lists the entries of the team's audit log, latest first.
 *
 * @throws Refusal as `authorize`
 */
export async function listAuditLog(
  { db }: Backend,
  caller: Caller,
  teamId: string,
  page: PageRequest,
): Promise<PageOf<AuditEntryView>> {
  await authorize(db, caller, teamId, 'audit:read');
  return readAuditLog(db, teamId, page);
}

function newTeamOf({ plans }: Config, caller: Caller) {
  const free = freePlan(plans);
  return { ownerId: caller.uid, seatLimit: free.limits.seats, plan: free.slug };
}

/**
 * The first slug that no team has. The transaction locks this slug, so it stays free until the commit.
 *
 * @throws Refusal `slug_taken` if none is free
 */
async function firstFreeSlug(tx: Tx, slugs: readonly string[]): Promise<string> {
  for (const slug of slugs) {
    if (!(await tx.teamSlugs.exists(slug))) return slug;
  }
  throw refusal('slug_taken');
}

/**
 * The details of a change for the audit log: the new name and slug if they differ, and whether the billing address was
 * set or removed. The billing address itself is left out, because the audit log entry stays longer.
 */
function auditDetailsOf(before: Team, after: Team): Record<string, string> {
  const keys = ['name', 'slug'] as const;
  const names = keys.filter((key) => before[key] !== after[key]).map((key) => [key, after[key]] as const);
  const billingEmail = after.billingEmail === undefined ? 'removed' : 'set';
  return {
    ...Object.fromEntries(names),
    ...(before.billingEmail !== after.billingEmail && { billingEmail }),
  };
}
