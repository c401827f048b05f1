import type { Request, Response, Router } from 'express';
import * as z from 'zod';
import { bringsToken } from '../auth/authenticate.ts';
import { callerOf } from '../auth/caller.ts';
import { topLevelNavigationOnly } from '../http/navigation.ts';
import { withQuery } from '../http/redirect.ts';
import { createRouter } from '../http/router.ts';
import { validate, validateBody } from '../http/validate.ts';
import { pageSchema } from '../firestore/page.ts';
import type { Backend } from '../backend.ts';
import { teamIdSchema } from '../teams/team.schema.ts';
import { inviteInBulk } from './bulk.service.ts';
import { INVITATION_ID, invitationLinkSchema, LISTED_STATUSES } from './invitation.ts';
import type { AcceptedView } from './invitation.view.ts';
import { bulkSchemaFor, singleSchema } from './invite.schema.ts';
import { invite } from './invite.service.ts';
import { listInvitations, listOwnInvitations } from './list.service.ts';
import { cancelInvitation, resendInvitation } from './manage.service.ts';
import { acceptInvitation, rejectInvitation, type Answer } from './respond.service.ts';

export const listSchema = pageSchema.extend({ status: z.enum(LISTED_STATUSES).default('pending') });

export const keySchema = z.object({
  teamId: teamIdSchema,
  id: z.string().regex(INVITATION_ID, 'is not an invitation id'),
});

export const ownKeySchema = keySchema.pick({ id: true });

/** Mounted in the authenticated group of /api/auth. */
export function inviteRoutes(backend: Backend): Router {
  const router = createRouter();

  router.get('/invitations', async (request, response) => {
    const page = validate(pageSchema, request.query);
    const { items, nextCursor } = await listOwnInvitations(backend, callerOf(response), page);
    response.json({ invitations: items, nextCursor });
  });

  router.post('/invitations/:id/accept', async (request, response) => {
    const { id } = validate(ownKeySchema, request.params);
    const { teamId } = await acceptInvitation(backend, { caller: callerOf(response), id });
    const accepted: AcceptedView = { teamId };
    response.json(accepted);
  });

  router.post('/invitations/:id/reject', async (request, response) => {
    const { id } = validate(ownKeySchema, request.params);
    await rejectInvitation(backend, { caller: callerOf(response), id });
    response.status(204).end();
  });

  router.get('/teams/:teamId/invitations', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    const { status, ...page } = validate(listSchema, request.query);
    const { items, nextCursor } = await listInvitations(backend, callerOf(response), teamId, status, page);
    response.json({ invitations: items, nextCursor });
  });

  router.post('/teams/:teamId/invitations', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    const bulkSchema = bulkSchemaFor(request.body);
    if (bulkSchema === undefined) {
      const body = validateBody(singleSchema, request);
      const { created, invitation } = await invite(backend, callerOf(response), teamId, body);
      response.status(created ? 201 : 200).json(invitation);
      return;
    }
    const entries = validateBody(bulkSchema, request);
    response.json({ results: await inviteInBulk(backend, callerOf(response), teamId, entries) });
  });

  router.post('/teams/:teamId/invitations/:id/resend', async (request, response) => {
    const key = validate(keySchema, request.params);
    response.json(await resendInvitation(backend, callerOf(response), key));
  });

  router.delete('/teams/:teamId/invitations/:id', async (request, response) => {
    const key = validate(keySchema, request.params);
    await cancelInvitation(backend, callerOf(response), key);
    response.status(204).end();
  });

  return router;
}

/**
 * The links of an invitation, mounted at /api/team in a group that sends signed-out visitors to the sign-in page. A link
 * without the secret of the mail leads to the dashboard, where a click answers the invitation.
 */
export function invitationLinkRoutes(backend: Backend): Router {
  const { config } = backend;
  const router = createRouter();
  router.use(topLevelNavigationOnly);

  const toDashboard = (response: Response, query: Readonly<Record<string, string>>) => {
    response.redirect(303, withQuery(config.dashboardPath, query));
  };

  router.get('/accept-invitation', async (request, response) => {
    const answer = answerOf(request, response);
    const { teamId, isDone } = await acceptInvitation(backend, answer);
    toDashboard(response, isDone ? { message: 'welcome', team: teamId } : { invitation: answer.id });
  });

  router.get('/reject-invitation', async (request, response) => {
    const answer = answerOf(request, response);
    const { isDone } = await rejectInvitation(backend, answer);
    toDashboard(response, isDone ? { message: 'invitation-rejected' } : { invitation: answer.id });
  });

  return router;
}

/** A page of another site cannot send an ID token, so a request with one needs no secret. */
function answerOf(request: Request, response: Response): Answer {
  const { id, secret } = validate(invitationLinkSchema, request.query['invitationId']);
  const caller = callerOf(response);
  return bringsToken(request) ? { caller, id } : { caller, id, link: { secret } };
}
