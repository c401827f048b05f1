import type { Firestore, Transaction } from 'firebase-admin/firestore';
import type { AuditEntryView } from '../audit/audit-entry.view.ts';
import { readAuditLog, recordAudit } from '../audit/audit-log.store.ts';
import type { Config } from '../settings/config.ts';
import { assertNotAnonymous } from '../auth/anonymous.ts';
import type { Caller } from '../auth/caller.ts';
import { refuse } from '../refusals.ts';
import type { Page, PageOf } from '../firestore/page.ts';
import { freePlan } from '../settings/plans.ts';
import type { Backend } from '../backend.ts';
import { transact } from '../firestore/transaction.ts';
import { authorizeLegacy, directly } from './authorize.ts';
import { addMember } from './member.store.ts';
import { assertNotReserved, slugsFor } from './slug.ts';
import {
  assertBelowTeamLimit,
  claimSlug,
  createTeam,
  isSlugTaken,
  newTeamId,
  readTeamsOf,
  releaseSlug,
  teamRef,
  type Team,
} from './team.store.ts';
import { summaryOf, viewOf, type TeamSummary, type TeamView } from './team.view.ts';

export interface NewTeam {
  name: string;
  slug?: string | undefined;
}

/**
 * Makes a team with the caller as its owner and first member.
 *
 * @throws Refusal 403 for an anonymous account or one team too many, 400 for a reserved slug, 409 for one that is taken
 */
export async function startTeam(
  backend: Backend,
  caller: Caller,
  { name, slug }: NewTeam,
): Promise<TeamSummary> {
  const { config } = backend;
  if (!config.anonymousTeams) assertNotAnonymous(caller);
  if (slug !== undefined) assertNotReserved(slug);
  const candidates = slug === undefined ? slugsFor(name) : [slug];
  const firestore = await backend.firestore();
  const id = newTeamId(firestore);
  return transact(firestore, async (transaction) => {
    const now = backend.now();
    await assertBelowTeamLimit(transaction, firestore, config, caller.uid);
    const team = {
      ...emptyTeam(config, caller, now),
      name,
      slug: await firstFree(transaction, firestore, candidates),
    };
    createTeam(transaction, firestore, id, team);
    addMember(transaction, firestore, id, {
      uid: caller.uid,
      role: 'owner',
      email: caller.email ?? null,
      displayName: caller.displayName ?? null,
      joinedAt: now,
    });
    const details = { name, slug: team.slug };
    recordAudit(transaction, firestore, {
      teamId: id,
      actorId: caller.uid,
      action: 'team.created',
      target: id,
      at: now,
      keptDays: config.auditDays,
      details,
    });
    return summaryOf(id, team, 'owner');
  });
}

/** The caller's teams in the order in which they joined them. */
export async function listTeams(backend: Backend, caller: Caller, page: Page): Promise<PageOf<TeamSummary>> {
  const { items, nextCursor } = await readTeamsOf(await backend.firestore(), caller.uid, page);
  return { items: items.map(({ id, team, role }) => summaryOf(id, team, role)), nextCursor };
}

export async function describeTeam(backend: Backend, caller: Caller, teamId: string): Promise<TeamView> {
  const firestore = await backend.firestore();
  const { team, member } = await authorizeLegacy(directly, firestore, caller, teamId, 'team:read');
  return viewOf(teamId, team, member.role, backend.now());
}

/**
 * Changes the name or the slug.
 *
 * @throws Refusal as authorize; 400 for a reserved slug, 409 for one that is taken
 */
export async function changeTeam(
  backend: Backend,
  caller: Caller,
  teamId: string,
  change: { name?: string | undefined; slug?: string | undefined },
): Promise<TeamView> {
  if (change.slug !== undefined) assertNotReserved(change.slug);
  const firestore = await backend.firestore();
  return transact(firestore, async (transaction) => {
    const { team, member } = await authorizeLegacy(transaction, firestore, caller, teamId, 'team:update');
    const now = backend.now();
    const changed: Team = { ...team, name: change.name ?? team.name, slug: change.slug ?? team.slug };
    const details = differences(team, changed);
    if (Object.keys(details).length === 0) return viewOf(teamId, team, member.role, now);
    if (changed.slug !== team.slug) {
      await firstFree(transaction, firestore, [changed.slug]);
      claimSlug(transaction, firestore, changed.slug, teamId);
      releaseSlug(transaction, firestore, team.slug);
    }
    transaction.update(teamRef(firestore, teamId), { name: changed.name, slug: changed.slug });
    recordAudit(transaction, firestore, {
      teamId,
      actorId: caller.uid,
      action: 'team.updated',
      target: teamId,
      at: now,
      keptDays: backend.auditDays,
      details,
    });
    return viewOf(teamId, changed, member.role, now);
  });
}

export async function listAuditLog(
  backend: Backend,
  caller: Caller,
  teamId: string,
  page: Page,
): Promise<PageOf<AuditEntryView>> {
  const firestore = await backend.firestore();
  await authorizeLegacy(directly, firestore, caller, teamId, 'audit:read');
  return readAuditLog(firestore, teamId, page);
}

function emptyTeam(config: Config, caller: Caller, now: Date) {
  const free = freePlan(config.plans);
  return {
    ownerId: caller.uid,
    seatLimit: free.limits.seats,
    plan: free.slug,
    createdAt: now,
  };
}

/** @throws Refusal 409 when all are taken */
async function firstFree(
  transaction: Transaction,
  firestore: Firestore,
  slugs: readonly string[],
): Promise<string> {
  for (const slug of slugs) {
    if (!(await isSlugTaken(transaction, firestore, slug))) return slug;
  }
  throw refuse('slug_taken');
}

/** The new values of what changed. */
function differences(before: Team, after: Team): Record<string, string> {
  const keys = ['name', 'slug'] as const;
  return Object.fromEntries(keys.filter((key) => before[key] !== after[key]).map((key) => [key, after[key]]));
}
