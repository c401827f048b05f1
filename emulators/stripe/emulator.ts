import { unrecognizedUrl, unsupportedRoute } from './api/errors.ts';
import { IdempotencyKeys } from './api/idempotency.ts';
import { OPERATIONS } from './api/operations.ts';
import { serve } from './api/pipeline.ts';
import type { Service } from './api/pipeline.ts';
import { isRouteOfSdk } from './api/sdk-routes.ts';
import type { Dunning } from './billing/dunning.ts';
import { elapse } from './billing/elapse.ts';
import type { Clock } from './clock.ts';
import { control, CONTROL_ROUTES } from './control/control.ts';
import { Faults } from './control/faults.ts';
import { RequestLog } from './control/request-log.ts';
import { syncEntitlementsOfSubscription } from './entitlements/active.ts';
import { inspectorRoutes } from './hosted/inspector.tsx';
import { notice } from './hosted/page.tsx';
import { hostedRoutes } from './hosted/routes.ts';
import { router } from './http/router.ts';
import type { Params, Route } from './http/router.ts';
import type { Plans } from './plans.ts';
import { seed } from './plans.ts';
import { receiversOf } from './resources/webhook-endpoints.ts';
import { Store } from './store/store.ts';
import type { Webhooks } from './webhooks.ts';
import { withoutRequest } from './world.ts';
import type { World } from './world.ts';

interface Settings {
  plans: Plans;
  /** Part of the ids of the seed. */
  account: string;
  webhooks: Webhooks;
  apiKey: string | undefined;
  clock: Clock;
  dunning: Dunning;
  limits: boolean;
  /** Origin of the hosted pages, without a slash at the end. */
  origin: string;
}

export interface StripeEmulator {
  /** Answers a request to the API, to a hosted page or to the control endpoints. */
  handle: (request: Request) => Response | Promise<Response>;
  /** Starts again from the seed. */
  reset: () => void;
  /** Ends the requests that wait and the webhooks under way. */
  abort: () => void;
}

/** The local Stripe without its HTTP server. */
export function stripeEmulator(settings: Settings): StripeEmulator {
  const { webhooks, clock, apiKey } = settings;
  const service: Service = {
    faults: new Faults(),
    log: new RequestLog(),
    keys: new IdempotencyKeys(),
    apiKey,
  };
  const world = worldOf(settings);
  const seedAccount = (): void => {
    seed(world.state, { plans: settings.plans, account: settings.account, created: clock.now() });
  };
  seedAccount();
  const abort = (): void => {
    service.faults.clear();
    service.log.clear();
    webhooks.reset();
  };
  const reset = (): void => {
    abort();
    clock.reset();
    world.state.clear();
    seedAccount();
  };
  const controls = { ...service, world, clock, webhooks, reset };
  const visit = () => {
    elapse(world);
    return withoutRequest(world);
  };
  const routes: Route[] = [
    ...apiRoutes(service, world),
    ...hostedRoutes(visit),
    ...inspectorRoutes({ world, log: service.log, reset }),
    ...CONTROL_ROUTES.map((route) => ({
      method: route.method,
      path: route.path,
      handle: (request: Request, param: Params) => control(route, controls, request, param('id')),
    })),
  ];
  return { handle: router(routes, notFound), reset, abort };
}

function worldOf({ clock, dunning, limits, origin, webhooks }: Settings): World {
  const state = new Store();
  webhooks.registered = ({ type }) => receiversOf(state, type);
  webhooks.onDelivered = ({ id }) => {
    const event = state.events.get(id);
    if (event) state.events.patch(id, { pending_webhooks: Math.max(0, event.pending_webhooks - 1) });
  };
  return {
    state,
    origin,
    now: () => clock.now(),
    dunning,
    limits,
    follow: syncEntitlementsOfSubscription,
    endpointsOf: (type) => webhooks.endpoints.length + receiversOf(state, type).length,
    deliver: (event) => {
      webhooks.deliver(event);
    },
  };
}

function apiRoutes(service: Service, world: World): Route[] {
  return OPERATIONS.map((operation) => ({
    method: operation.method,
    path: operation.path,
    handle: (request, param) => serve(service, world, operation, request, idOf(param('id'), param('child'))),
  }));
}

function idOf(id: string, child: string): string {
  return child === '' ? id : `${id}/${child}`;
}

function notFound({ method, url }: Request): Response {
  const { pathname: path } = new URL(url);
  if (!/^\/v[12]\//.test(path)) return notice(404, 'Not found', 'There is no such page here.', null);
  const error = isRouteOfSdk(method, path) ? unsupportedRoute(method, path) : unrecognizedUrl(method, path);
  return Response.json(error.body, { status: error.status });
}
