import { TEAM_ACTIONS } from '@hearth/shared/documents/audit-entry';
import { collection, documentId, orderBy, query, where } from 'firebase/firestore';
import { usePages, type Paged } from '../backend/pages.ts';
import { auditSchema, type AuditDocument } from './documents.ts';

/** The beginnings of actions, by which the log is filtered. */
export const ACTIVITY_KINDS = ['all', 'team', 'member', 'invitation', 'billing', 'upload', 'admin'] as const;

export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** Each entry names up to two people, and Firestore finds 30 people with one query. */
const ENTRIES = 15;

/** A query may combine 30 values: this number of people with each action of a kind. */
const PEOPLE = 2;

interface Wanted {
  kind: ActivityKind;
  /** The actors to find; undefined for everybody. Only the first two are used. */
  actors: readonly string[] | undefined;
}

/** The audit log of a team, latest first, by pages; for its owners and admins. */
export function useActivityPages(teamId: string, { kind, actors }: Wanted): Paged<AuditDocument> {
  const chosen = actors?.slice(0, PEOPLE);
  return usePages({
    key: chosen?.length === 0 ? undefined : `audit ${teamId} ${kind} ${chosen?.join(' ') ?? ''}`,
    from: (firestore) =>
      query(
        collection(firestore, 'auditLog'),
        where('teamId', '==', teamId),
        ...(chosen === undefined ? [] : [where('actorId', 'in', chosen)]),
        ...(kind === 'all' ? [] : [where('action', 'in', actionsOf(kind))]),
        orderBy('at', 'desc'),
        orderBy(documentId(), 'desc'),
      ),
    schema: auditSchema,
    cursorOf: ({ at, id }) => [at, id],
    size: ENTRIES,
  });
}

const actionsOf = (kind: ActivityKind) => TEAM_ACTIONS.filter((action) => action.startsWith(`${kind}.`));
