import * as z from 'zod';
import type { Impersonation } from '../auth/caller.ts';
import { addOnsView } from '../common/add-ons.ts';
import { instant } from '../common/instant.ts';
import type { SessionDocument } from '../firestore/documents/user.ts';
import { roleSchema } from '../teams/team.schema.ts';
import { userView } from './user.view.ts';

export const signedInUserView = z
  .strictObject({
    user: userView,
    teams: z.array(z.strictObject({ id: z.string(), name: z.string(), role: roleSchema })),
    plan: z
      .string()
      .describe(
        "Slug of the best plan of the user's own subscriptions, one-time purchases and granted plans.",
      ),
    impersonation: z
      .strictObject({ operatorId: z.string().describe('The uid of the operator.'), endsAt: instant })
      .optional()
      .describe('Only while an operator impersonates this user.'),
    addOns: addOnsView.optional().describe('Missing if the user has no add-on.'),
  })
  .meta({ id: 'Session' });

export type SignedInUserView = z.output<typeof signedInUserView>;

export function impersonationViewOf({
  operatorId,
  endsAt,
}: Impersonation): NonNullable<SignedInUserView['impersonation']> {
  return { operatorId, endsAt: endsAt.toISOString() };
}

/** The answer to a sign-in. The session cookie itself is in the header `Set-Cookie`. */
export const newSessionView = z.strictObject({ expiresAt: instant });

export const openSessionView = z
  .strictObject({
    id: z.string(),
    current: z.boolean().describe('True for the session of this request.'),
    signInMethod: z.string(),
    userAgent: z.string().nullable().describe('The header `User-Agent` at sign-in.'),
    signedInAt: instant,
    expiresAt: instant,
  })
  .meta({ id: 'OpenSession' });

export type OpenSessionView = z.output<typeof openSessionView>;

export function openSessionViewOf(
  id: string,
  { signInMethod, userAgent, signedInAt, expiresAt }: SessionDocument,
  current: string | undefined,
): OpenSessionView {
  return {
    id,
    current: id === current,
    signInMethod,
    userAgent,
    signedInAt: signedInAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
