import { useCallback } from 'react';
import { everyItem } from '../pages.ts';
import type { Plan, Session, Team, TeamSummary } from '../types.ts';
import type { Answer } from './answer.ts';
import { useAnswers, useShared, type Reloading } from './provider.ts';

/** The signed-in user with their teams and plan. `data` is null if nobody is signed in. */
export type SessionAnswer = Answer<Session | null> &
  Reloading & {
    /**
     * Starts a session by cookie, in the app's own pages, with the ID token of a sign-in within the last 5 minutes.
     *
     * @throws HearthError
     */
    startSession: (idToken: string) => Promise<void>;
    /**
     * Ends the session of the cookie. With ID tokens, call `signOut` of the Firebase SDK instead.
     *
     * @throws HearthError
     */
    endSession: () => Promise<void>;
  };

export function useSession(): SessionAnswer {
  const answers = useAnswers();
  const { account } = answers.client;
  const shared = answers.session(
    (session: Session) => session.user.uid,
    async (signal) => (await account.session({ signal })) ?? null,
  );
  const startSession = useCallback(
    async (idToken: string) => {
      await account.startSession(idToken);
      answers.sessionStarted();
    },
    [account, answers],
  );
  const endSession = useCallback(async () => {
    await account.endSession();
    answers.sessionEnded();
  }, [account, answers]);
  return { ...useShared(shared), startSession, endSession };
}

/** The teams of the user, in the order in which they joined them. */
export type TeamsAnswer = Answer<TeamSummary[]> &
  Reloading & {
    /**
     * Creates a team, and loads the teams and the session again.
     *
     * @throws HearthError
     */
    create: (team: { name: string; slug?: string }) => Promise<TeamSummary>;
  };

export function useTeams(): TeamsAnswer {
  const answers = useAnswers();
  const { teams } = answers.client;
  const shared = answers.ofUser('teams', async (signal) => {
    const found: TeamSummary[] = [];
    for await (const team of everyItem((options) => teams.list(options), { signal })) found.push(team);
    return found;
  });
  const create = useCallback(
    async (team: { name: string; slug?: string }) => {
      const created = await teams.create(team);
      await answers.reload('teams', 'session');
      return created;
    },
    [teams, answers],
  );
  return { ...useShared(shared), create };
}

/** One team with its plan and its limits. */
export function useTeam(teamId: string): Answer<Team> & Reloading {
  const answers = useAnswers();
  const read = (signal: AbortSignal) => answers.client.teams.get(teamId, { signal });
  return useShared(answers.ofUser(`teams/${teamId}`, read));
}

/** The plans with their prices, from least to most. Nobody needs to be signed in. */
export function usePlans(): Answer<Plan[]> & Reloading {
  const answers = useAnswers();
  return useShared(answers.get('plans', (signal) => answers.client.billing.plans({ signal })));
}
