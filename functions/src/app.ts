import express, { type Express } from 'express';
import helmet from 'helmet';
import { accountMailRoutes } from './account/account-mail.routes.ts';
import { sessionRoutes } from './account/session.routes.ts';
import { sessionExists } from './account/session.store.ts';
import { userRoutes } from './account/user.routes.ts';
import { adminInvitationRoutes } from './admin/invitations/invitations.routes.ts';
import { adminMailRoutes } from './admin/mail/mail.routes.ts';
import { recordImpersonated } from './admin/operator.service.ts';
import { adminSubscriptionRoutes } from './admin/subscriptions/subscriptions.routes.ts';
import { adminTeamRoutes } from './admin/teams/teams.routes.ts';
import { adminUploadRoutes } from './admin/uploads/uploads.routes.ts';
import { adminUserRoutes } from './admin/users/users.routes.ts';
import { appLinkRoutes } from './app-links/app-links.routes.ts';
import { lookUpCounter } from './auth/users/look-up-limit.ts';
import { createSignInTrust } from './auth/users/sign-in-trust.ts';
import type { Backend } from './backend.ts';
import { extrasRoutes } from './billing/catalogue/listing/extras.routes.ts';
import { plansRoutes } from './billing/catalogue/listing/plans.routes.ts';
import { checkoutRoutes } from './billing/checkout/checkout.routes.ts';
import { portalRoutes } from './billing/checkout/portal.routes.ts';
import { purchasesRoutes } from './billing/checkout/purchases/purchases.routes.ts';
import { SIGNED_IN_BILLING_PAGE_DECLARATION } from './billing/checkout/redirects/redirect-declarations.ts';
import { returnRoutes } from './billing/checkout/redirects/return.routes.ts';
import { appStoreRoutes } from './billing/grants/app-stores.routes.ts';
import { addOnRoutes } from './billing/subscriptions/add-ons/add-ons.routes.ts';
import { subscriptionRoutes } from './billing/subscriptions/manage/subscription.routes.ts';
import { usageRoutes } from './billing/usage/usage.routes.ts';
import { webhookRoutes } from './billing/webhook/webhook.routes.ts';
import { appCheckVerifier } from './http/app-check.ts';
import { cors } from './http/cors.ts';
import { jsonErrors } from './http/errors/render-error.ts';
import { limitFirestoreWaits } from './http/firestore-waits.ts';
import type { GuardContext } from './http/guards.ts';
import { API_HEADERS, noStore } from './http/headers.ts';
import { routerOf, type UnknownPaths } from './http/mount.ts';
import { costCounter, requestId, logRequests } from './http/request-log.ts';
import type { Route } from './http/route.ts';
import { traceRequests } from './http/server-span.ts';
import { invitationRoutes } from './invitations/invitation.routes.ts';
import { replyRoutes, INVITATION_LINK_DECLARATION } from './invitations/reply/reply.routes.ts';
import { visitorRoutes } from './invitations/reply/visitor.routes.ts';
import { unsubscribeRoutes } from './mail/unsubscribe.routes.ts';
import { serviceRoutes } from './openapi/service.routes.ts';
import { deviceRoutes } from './push/device.routes.ts';
import { createLimiters } from './rate-limits/limiters.ts';
import { windowCounter } from './rate-limits/window-counter.ts';
import { isDeployed } from './settings/environment.ts';
import { RATE_LIMITS } from './settings/rate-limits.ts';
import { memberRoutes } from './teams/members/member.routes.ts';
import { teamRoutes } from './teams/team.routes.ts';
import { transferRoutes } from './teams/transfer/transfer.routes.ts';
import { UPLOAD_DECLARATION, uploadRoutes } from './uploads/api/upload.routes.ts';
import { uploadManagementRoutes } from './uploads/manage/manage.routes.ts';

/** Every route of the service. */
export const ROUTES: readonly Route[] = [
  ...serviceRoutes,
  ...appLinkRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...accountMailRoutes,
  ...deviceRoutes,
  ...plansRoutes,
  ...extrasRoutes,
  // Before `checkoutRoutes`: the path `/api/auth/checkout/{slug}` also matches `/api/auth/checkout/return`.
  ...returnRoutes,
  ...checkoutRoutes,
  ...portalRoutes,
  ...subscriptionRoutes,
  ...addOnRoutes,
  ...purchasesRoutes,
  ...usageRoutes,
  ...webhookRoutes,
  ...appStoreRoutes,
  ...teamRoutes,
  ...memberRoutes,
  ...transferRoutes,
  ...invitationRoutes,
  ...replyRoutes,
  ...visitorRoutes,
  ...unsubscribeRoutes,
  ...uploadRoutes,
  ...uploadManagementRoutes,
  ...adminUserRoutes,
  ...adminTeamRoutes,
  ...adminInvitationRoutes,
  ...adminSubscriptionRoutes,
  ...adminUploadRoutes,
  ...adminMailRoutes,
];

/**
 * The guards of requests for unknown paths, by prefix. A request that no guard refuses gets 404. Example: without a
 * user, `GET /api/auth/unknown` gets 401, like a request to a route below `/api/auth`.
 */
const UNKNOWN_PATHS: readonly UnknownPaths[] = [
  // Only the links of invitations are below /api/team. The routes of teams are below /api/auth.
  { prefix: '/api/team', declaration: INVITATION_LINK_DECLARATION },
  { prefix: '/api/upload', declaration: UPLOAD_DECLARATION },
  { prefix: '/api/uploads', declaration: { access: 'user' } },
  { prefix: '/api/auth/checkout', declaration: SIGNED_IN_BILLING_PAGE_DECLARATION },
  { prefix: '/api/auth/portal', declaration: SIGNED_IN_BILLING_PAGE_DECLARATION },
  { prefix: '/api/admin', declaration: { operatorsOnly: true } },
  { prefix: '/api/auth', declaration: { access: 'user' } },
];

export function createApp(backend: Backend): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.use(requestId, costCounter, limitFirestoreWaits(backend.db));
  if (backend.tracing !== undefined) app.use(traceRequests(backend.tracing));
  // The local stack prints its own lines for requests.
  if (isDeployed()) app.use(logRequests(ROUTES));
  app.use(helmet(API_HEADERS), noStore, cors(backend.config));
  app.use(routerOf(guardContextOf(backend), ROUTES, UNKNOWN_PATHS));
  app.use(jsonErrors);
  return app;
}

function guardContextOf(backend: Backend): GuardContext {
  const { config, db, verifyToken, userStates, now } = backend;
  const limiters = createLimiters(backend);
  return {
    backend,
    verifyAppCheck: appCheckVerifier(backend.appCheck),
    limiters,
    authenticationDependencies: {
      config,
      verifyToken,
      userStates,
      sessionExists: (uid, cookie) => sessionExists(db, uid, cookie),
      countLookUp: lookUpCounter({
        perSignIn: RATE_LIMITS.lookUps(config),
        allUntrusted: RATE_LIMITS.untrustedLookUps(config),
      }),
      countSignOutLookUp: lookUpCounter({
        perSignIn: RATE_LIMITS.signOutLookUps(),
        allUntrusted: RATE_LIMITS.untrustedSignOutLookUps(config),
      }),
      signInTrust: createSignInTrust(),
      now,
    },
    callerGuardDependencies: {
      writes: windowCounter(RATE_LIMITS.writes(config)),
      reads: windowCounter(RATE_LIMITS.reads(config)),
      recordImpersonated: (caller, request) => recordImpersonated(backend, caller, request),
      now,
    },
  };
}
