import type { Auth } from 'firebase-admin/auth';
import type { Config } from '../config.ts';
import { callerFrom, verify } from '../http/authenticate.ts';
import type { Caller } from '../http/caller.ts';
import { unauthenticated } from '../http/errors.ts';
import { currentPlan } from '../billing/subscription.store.ts';
import type { Services } from '../services.ts';
import type { Role } from '../teams/roles.ts';
import { teamsOf } from '../teams/team.store.ts';
import { saveProfile } from './profile.store.ts';
import { viewOf, type UserView } from './user.view.ts';

/** A stolen old ID token must not become a session of days. https://firebase.google.com/docs/auth/admin/manage-cookies */
const FRESH_SIGN_IN_MS = 5 * 60_000;

export interface SessionView {
  user: UserView;
  teams: { id: string; name: string; role: Role }[];
  /** Slug of the plan that the user's own subscription gives. */
  plan: string;
}

/**
 * Exchanges the ID token of a fresh sign-in for a session cookie; the first one also makes the user's profile.
 *
 * @param lifetime of the cookie, in milliseconds
 * @throws HttpError 401 for a token that is bad, expired, revoked or from a sign-in over 5 minutes ago
 */
export async function createSession(services: Services, idToken: string, lifetime: number): Promise<string> {
  const { auth } = services;
  const { token, user } = await verify(auth, () => auth.verifyIdToken(idToken));
  if (services.now().getTime() - token.auth_time * 1000 > FRESH_SIGN_IN_MS) {
    throw unauthenticated('Sign in again: this sign-in is too old to start a session.');
  }
  await saveProfile(await services.firestore(), callerFrom(user), services.now());
  return auth.createSessionCookie(idToken, { expiresIn: lifetime });
}

/** Ends every session of a user: all refresh tokens, and with them all session cookies made before now. */
export async function revokeSessions(auth: Auth, uid: string): Promise<void> {
  await auth.revokeRefreshTokens(uid);
}

export async function describeSession(
  services: Services,
  config: Config,
  caller: Caller,
): Promise<SessionView> {
  const firestore = await services.firestore();
  const [teams, plan] = await Promise.all([
    teamsOf(firestore, caller.uid),
    currentPlan(firestore, config.plans, caller.uid),
  ]);
  return {
    user: viewOf(caller),
    teams: teams.map(({ id, team, role }) => ({ id, name: team.name, role })),
    plan: plan.slug,
  };
}
