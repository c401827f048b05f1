import type { Role } from '@hearth/client';
import { collection, documentId, limit, orderBy, query, where, type Firestore } from 'firebase/firestore';
import { useLiveQuery } from '../backend/live.ts';
import { PAGE, useKept, usePages, type Paged } from '../backend/pages.ts';
import type { Live } from '../backend/source.ts';
import { memberSchema, type MemberDocument } from './documents.ts';
import { mergedMembers, prefixesOf } from './found.ts';

/** The members with a role, or all. */
export type RoleFilter = Role | 'all';

/** The end of the range of texts that begin with a text. */
const LAST_CHARACTER = '\uf8ff';

const membersOf = (firestore: Firestore, teamId: string) => collection(firestore, 'teams', teamId, 'members');

const withRole = (role: RoleFilter) => (role === 'all' ? [] : [where('role', '==', role)]);

/**
 * The members of a team in the order in which they joined, by pages.
 *
 * @param teamId undefined listens to nothing
 */
export function useMemberPages(teamId: string | undefined, role: RoleFilter = 'all'): Paged<MemberDocument> {
  return usePages({
    key: teamId === undefined ? undefined : `members ${teamId} ${role}`,
    from: (firestore) =>
      query(
        membersOf(firestore, teamId ?? ''),
        ...withRole(role),
        orderBy('joinedAt'),
        orderBy(documentId()),
      ),
    schema: memberSchema,
    cursorOf: ({ joinedAt, uid }) => [joinedAt, uid],
  });
}

/**
 * The members whose name or address begins with a text, sorted by name: the first of them, if there are many. Firestore
 * finds them by its indexes, however large the team is.
 *
 * @param text listens to nothing if it is empty
 */
export function useMemberSearch(
  teamId: string,
  text: string,
  role: RoleFilter = 'all',
): Live<MemberDocument[]> {
  const [typed, capitalized] = prefixesOf(text);
  const byAddress = useBeginning(teamId, role, 'email', text.toLowerCase());
  const byName = useBeginning(teamId, role, 'displayName', typed);
  const byCapitalized = useBeginning(teamId, role, 'displayName', capitalized);
  return mergedMembers(capitalized === undefined ? [byAddress, byName] : [byAddress, byName, byCapitalized]);
}

function useBeginning(
  teamId: string,
  role: RoleFilter,
  field: 'email' | 'displayName',
  text: string | undefined,
): Live<MemberDocument[]> {
  return useLiveQuery(
    text === undefined || text === '' ? undefined : `members ${teamId} ${role} ${field} ${text}`,
    (firestore) =>
      query(
        membersOf(firestore, teamId),
        ...withRole(role),
        where(field, '>=', text),
        where(field, '<', `${text ?? ''}${LAST_CHARACTER}`),
        orderBy(field),
        limit(PAGE + 1),
      ),
    memberSchema,
  );
}

/** The members that a search and a filter find, or the pages of all of them. */
export function useFoundMembers(teamId: string, text: string, role: RoleFilter): Paged<MemberDocument> {
  const isSearch = text !== '';
  const pages = useMemberPages(isSearch ? undefined : teamId, role);
  const { items, isOld } = useKept(useMemberSearch(teamId, text, role), isSearch);
  if (!isSearch) return pages;
  const found = items.state === 'ready' ? items.value : [];
  return {
    items: items.state === 'ready' ? { state: 'ready', value: found.slice(0, PAGE) } : items,
    before: 0,
    hasMore: found.length > PAGE,
    isOld,
    showPrevious: undefined,
    showNext: undefined,
  };
}
