import type { AppCheck } from 'firebase-admin/app-check';
import type { Messaging } from 'firebase-admin/messaging';
import type Stripe from 'stripe';
import { APP_HOOKS, type AppHooks } from './app-hooks.ts';
import { withAuthRefusals } from './auth/ask-auth.ts';
import { createTokenVerifier, type VerifyToken } from './auth/tokens/verify-token.ts';
import { authAdmin, type AuthAdmin } from './auth/users/auth-admin.ts';
import { userStateOf, createUserStates, type UserStates } from './auth/users/user-states.ts';
import {
  loadApp,
  loadAuth,
  loadBucket,
  loadFirestore,
  loadStripe,
  projectOf,
  type Bucket,
} from './backend-clients.ts';
import { lazy } from './common/lazy.ts';
import type { FeatureHooks } from './feature-hooks/hooks.ts';
import { createDb, type Db } from './firestore/db.ts';
import type { Config } from './settings/config.ts';
import { usesAuthEmulator } from './settings/environment.ts';
import { createTaskQueues, type TaskQueues } from './task-queues.ts';
import { createTracing, type Tracing } from './tracing/tracing.ts';

/**
 * Everything that differs between production and tests, or from app to app. A heavy module, such as Stripe's, loads at
 * its first use. This keeps cold starts short.
 */
export interface Backend extends TaskQueues {
  readonly config: Config;
  /** See `feature-hooks/registry.ts`. */
  readonly featureHooks: FeatureHooks<Backend>;
  /** See `app-hooks.ts`. */
  readonly appHooks: AppHooks;
  readonly auth: AuthAdmin;
  readonly verifyToken: VerifyToken;
  readonly userStates: UserStates;
  readonly appCheck: () => Promise<AppCheck>;
  /** Firebase Cloud Messaging, for push messages. */
  readonly messaging: () => Promise<Messaging>;
  readonly db: Db;
  readonly bucket: () => Promise<Bucket>;
  readonly stripe: () => Promise<Stripe>;
  /** Undefined if tracing is off. */
  readonly tracing: Tracing | undefined;
  readonly now: () => Date;
}

export function createBackend(
  config: Config,
  featureHooks: FeatureHooks<Backend>,
  now = () => new Date(),
): Backend {
  const app = lazy(loadApp);
  const auth = authAdmin(
    lazy(() => loadAuth(app)),
    // Called after a change of an account. By then `userStates` below exists.
    (uid) => {
      userStates.evict(uid);
    },
  );
  const verifier = lazy(async () => {
    const projectId = await projectOf(app);
    return createTokenVerifier({ projectId, isEmulated: usesAuthEmulator() });
  });
  const userStates = createUserStates({
    ask: (uid) => withAuthRefusals(async () => userStateOf(await auth.getUser(uid))),
    lifetimeMs: config.userCacheSeconds * 1000,
  });
  return {
    config,
    featureHooks,
    appHooks: APP_HOOKS,
    auth,
    verifyToken: async (kind, token) => (await verifier())(kind, token),
    userStates,
    appCheck: lazy(async () => (await import('firebase-admin/app-check')).getAppCheck(await app())),
    messaging: lazy(async () => (await import('firebase-admin/messaging')).getMessaging(await app())),
    db: createDb({ loadClient: lazy(() => loadFirestore(app)), auditDays: config.auditDays }),
    bucket: lazy(() => loadBucket(app)),
    stripe: lazy(() => loadStripe(config)),
    tracing: createTracing(config),
    ...createTaskQueues(app, config, now),
    now,
  };
}
