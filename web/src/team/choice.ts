import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { setActiveTeam, useProfile } from '../account/profile.ts';
import { forgetSignedIn, type SignedIn } from '../backend/session.ts';
import { valueOf } from '../backend/source.ts';
import type { Membership } from './documents.ts';
import { useMemberships } from './queries.ts';
import { preselectedSubject, subjectsOf, type Subject } from './subjects.ts';

export interface Choice {
  subjects: Subject[];
  /** The user, or one of their teams. All pages show it. */
  chosen: Subject;
  choose: (id: string) => void;
}

/** The choice of an operator who sees the service as the user. The rules refuse to store it in the user's profile. */
const chosenByOperator = signal<string | undefined>(undefined);

/**
 * The choice between the user and their teams, which all pages share. It is stored in the profile. A link with `?team=`
 * has precedence. Undefined until the profile is known.
 */
export function useChoice({ session }: SignedIn): Choice | undefined {
  const { user, teams, impersonation } = session;
  const { query, path, route } = useLocation();
  const profile = useProfile(user.uid);
  const memberships = valueOf(useMemberships(user.uid));
  useNewTeams(session.teams, memberships);
  if (profile.state === 'loading') return undefined;
  const subjects = subjectsOf({ user, teams }, memberships);
  const isImpersonated = impersonation !== undefined;
  const seen = isImpersonated ? chosenByOperator.value : undefined;
  const wanted = query['team'] ?? seen ?? valueOf(profile)?.activeTeamId;
  const choose = (id: string) => {
    if (query['team'] !== undefined) route(path, true);
    if (isImpersonated) chosenByOperator.value = id;
    // Firestore shows it immediately, and undoes it if the write is refused.
    else setActiveTeam(user.uid, id).catch(() => undefined);
  };
  return { subjects, chosen: preselectedSubject(subjects, wanted), choose };
}

/** Loads the names of teams that the user has joined since the session was loaded. */
function useNewTeams(known: readonly { id: string }[], memberships: readonly Membership[] | undefined): void {
  const unknown = (memberships ?? []).filter(({ teamId }) => !known.some(({ id }) => id === teamId));
  const ids = unknown.map(({ teamId }) => teamId).join(' ');
  useEffect(() => {
    if (ids !== '') forgetSignedIn();
  }, [ids]);
}
