import express, { type Express, type Request, type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import { isSessionOpen } from './account/session.service.ts';
import { sessionRoutes } from './account/session.routes.ts';
import { userRoutes } from './account/user.routes.ts';
import { billingRoutes } from './billing/checkout/billing.routes.ts';
import { plansRoutes } from './billing/catalogue/plans.routes.ts';
import { webhookRoutes } from './billing/webhook/webhook.routes.ts';
import { genuineApp } from './http/app-check.ts';
import { authenticate, saysWho, type Authentication } from './auth/authenticate.ts';
import { FORM_BYTES, MAX_EVENT_BYTES, MAX_JSON_BYTES, receiveBody } from './http/body.ts';
import { cors } from './http/cors.ts';
import { refuse } from './refusals.ts';
import { refuseForeignPages } from './http/origin.ts';
import { sessionCookieOptions } from './auth/cookies.ts';
import { inThisInstance, limitByAddress, limitByAddressHere, limitByUser } from './http/rate-limit.ts';
import { LIMITS } from './settings/limits.ts';
import { requestId } from './common/log.ts';
import { htmlErrors, jsonErrors, pageErrors, uploadErrors } from './http/render-error.ts';
import { API_HEADERS, noStore } from './http/headers.ts';
import { createRouter } from './http/router.ts';
import { redirectBrowserToSignIn, redirectToSignIn } from './http/sign-in-redirect.ts';
import { countAddresses } from './invitations/invite.schema.ts';
import { inviteRoutes, invitationLinkRoutes } from './invitations/invitation.routes.ts';
import { unsubscribeRoutes } from './mail/unsubscribe.routes.ts';
import { openApiRoutes } from './openapi/openapi.routes.ts';
import type { Backend } from './backend.ts';
import { memberRoutes } from './teams/member.routes.ts';
import { teamRoutes } from './teams/team.routes.ts';
import { transferRoutes } from './teams/transfer.routes.ts';
import { manageRoutes } from './uploads/manage.routes.ts';
import { uploadRoutes } from './uploads/upload.routes.ts';

/** The whole HTTP surface in the order in which a request meets it. */
export function createApp(backend: Backend): Express {
  const { config } = backend;
  const authentication = authenticationOf(backend);
  const authenticated = authenticate(authentication);
  // Signing out is never limited: the thief of a cookie must not be able to block its user's sign-out.
  const uncounted = authenticate(authentication, { counted: 'none' });
  const genuine = genuineApp(backend);
  const limited = limitByAddress(backend, LIMITS.sessions(config));
  const smallBody = receiveBody(MAX_JSON_BYTES);
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.use(requestId, helmet(API_HEADERS), noStore, cors(config));

  app.get('/api/health', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.use('/api/openapi.json', openApiRoutes(config));
  app.use('/api/webhooks', receiveBody(MAX_EVENT_BYTES), webhookRoutes(backend));
  app.use('/api/team', invitationLinks(backend, authentication));
  app.use('/api/mail', smallBody, unsubscribeRoutes(backend), pageErrors('/'));
  app.use('/api/upload', uploads(backend, authenticated));
  app.use(smallBody);
  app.use('/api/uploads', genuine, authenticated, manageRoutes(backend));
  app.use('/api/auth/session', genuine);
  app.use('/api/auth/session', sessionRoutes(backend, { authenticated: uncounted, limited }));
  app.use('/api/auth/plans', plansRoutes(backend));
  app.use(
    ['/api/auth/checkout', '/api/auth/portal'],
    authenticate(authentication, { counted: 'all', refuse: redirectBrowserToSignIn(config) }),
  );
  app.use('/api/auth', billingRoutes(backend));
  app.use(['/api/auth/checkout', '/api/auth/portal'], pageErrors(config.portalReturnPath));
  app.use(
    '/api/auth',
    genuine,
    authenticated,
    userRoutes(backend),
    invitationLimit(backend),
    teamRoutes(backend),
    memberRoutes(backend),
    transferRoutes(backend),
    inviteRoutes(backend),
  );

  app.use(() => {
    throw refuse('not_found');
  });
  app.use(jsonErrors);
  return app;
}

/** One for all router groups, so that each user's writes are counted together. */
function authenticationOf(backend: Backend): Authentication {
  const { config } = backend;
  return {
    auth: backend.auth,
    origins: config,
    cookieOptions: sessionCookieOptions(config),
    isSessionOpen: (uid, cookie) => isSessionOpen(backend, uid, cookie),
    countWrite: inThisInstance(LIMITS.writes(config)),
  };
}

function invitationLinks(backend: Backend, authentication: Authentication): Router {
  const { config } = backend;
  const signedIn = authenticate(authentication, { counted: 'all', refuse: redirectToSignIn(config) });
  const links = invitationLinkRoutes(backend);
  return createRouter().use(receiveBody(MAX_JSON_BYTES), signedIn, links, htmlErrors);
}

/** Open to everyone only where it is configured; who says who they are is asked for it all the same. */
function uploads(backend: Backend, authenticated: RequestHandler): Router {
  const { config } = backend;
  const signedIn = createRouter().use(
    authenticated,
    limitByUser(backend, LIMITS.uploads(config)),
    limitByAddressHere(LIMITS.uploadsByAddress(config)),
  );
  const anybody = createRouter().use(
    refuseForeignPages(config),
    limitByAddress(backend, LIMITS.anonymousUploads(config)),
  );
  const guard: RequestHandler = (request, response, next) => {
    const guardOfThis = config.uploadRequiresAuth || saysWho(request) ? signedIn : anybody;
    guardOfThis(request, response, next);
  };
  return createRouter().use(
    genuineApp(backend),
    guard,
    receiveBody(config.uploadMaxBytes + FORM_BYTES),
    uploadRoutes(backend),
    uploadErrors,
  );
}

/** Everything that sends mail to people who have not asked for it. */
function invitationLimit(backend: Backend): Router {
  const { config } = backend;
  const pointsOf = ({ body }: Request) => countAddresses(body);
  const limits = [
    limitByUser(backend, LIMITS.invitations(config), pointsOf),
    limitByAddressHere(LIMITS.invitationsByAddress(config), pointsOf),
  ];
  const invitations = '/teams/:teamId/invitations';
  return createRouter().post([invitations, `${invitations}/:invitationId/resend`], limits);
}
