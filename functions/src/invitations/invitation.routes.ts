import { Router } from 'express';
import * as z from 'zod';
import type { Config } from '../config.ts';
import { callerOf } from '../http/caller.ts';
import { topLevelNavigationOnly } from '../http/navigation.ts';
import { withQuery } from '../http/redirect.ts';
import { validate, validateBody } from '../http/validate.ts';
import type { Services } from '../services.ts';
import { ROLES } from '../teams/roles.ts';
import { invitationIdSchema } from './invitation.ts';
import { invite } from './invite.service.ts';
import { acceptInvitation, rejectInvitation } from './respond.service.ts';

const inviteSchema = z.strictObject({
  email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
  role: z.enum(ROLES),
});

/** Firestore's own ids; anything else cannot be a team. */
const teamIdSchema = z.string().regex(/^[A-Za-z0-9]{1,64}$/, 'is not a team id');

/** Mounted in the authenticated group of /api/auth. */
export function inviteRoutes(config: Config, services: Services): Router {
  const router = Router();

  router.post('/teams/:teamId/invitations', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    const body = validateBody(inviteSchema, request);
    const { created, invitation } = await invite(services, config, callerOf(response), { teamId, ...body });
    response.status(created ? 201 : 200).json(invitation);
  });

  return router;
}

/** The links in an invitation, mounted at /api/team in a group that sends signed-out visitors to the sign-in page. */
export function invitationLinkRoutes(config: Config, services: Services): Router {
  const router = Router();
  router.use(topLevelNavigationOnly);

  router.get('/accept-invitation', async (request, response) => {
    const invitationId = validate(invitationIdSchema, request.query['invitationId']);
    const teamId = await acceptInvitation(services, callerOf(response), invitationId);
    response.redirect(303, withQuery(config.dashboardPath, { message: 'welcome', team: teamId }));
  });

  router.get('/reject-invitation', async (request, response) => {
    const invitationId = validate(invitationIdSchema, request.query['invitationId']);
    await rejectInvitation(services, callerOf(response), invitationId);
    response.redirect(303, withQuery(config.dashboardPath, { message: 'invitation-rejected' }));
  });

  return router;
}
