import * as z from 'zod';
import { instant } from '../common/instant.ts';
import { roleSchema } from '../teams/team.schema.ts';
import type { OpenSession } from './session.store.ts';
import { userView } from './user.view.ts';

/** Who is signed in, and what they have. */
export const sessionView = z
  .strictObject({
    user: userView,
    teams: z.array(z.strictObject({ id: z.string(), name: z.string(), role: roleSchema })),
    plan: z.string().describe("Slug of the plan that the user's own subscription gives."),
  })
  .meta({ id: 'Session' });

export type SessionView = z.output<typeof sessionView>;

/** The answer to a sign-in; the session itself is in the cookie. */
export const newSessionView = z.strictObject({ expiresAt: instant });

/** A session by cookie. */
export const openSessionView = z
  .strictObject({
    id: z.string(),
    current: z.boolean().describe('Whether it is the one that asks.'),
    signInMethod: z.string(),
    userAgent: z.string().nullable().describe('What the browser said of itself.'),
    signedInAt: instant,
    expiresAt: instant,
  })
  .meta({ id: 'OpenSession' });

export type OpenSessionView = z.output<typeof openSessionView>;

export function openSessionViewOf(
  id: string,
  { signInMethod, userAgent, signedInAt, expiresAt }: OpenSession,
  current: string | undefined,
): OpenSessionView {
  return {
    id,
    current: id === current,
    signInMethod,
    userAgent,
    signedInAt: signedInAt.toDate().toISOString(),
    expiresAt: expiresAt.toDate().toISOString(),
  };
}
