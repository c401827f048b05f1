import { defineEmulator } from 'emulate';
import { unrecognizedUrl, unsupportedRoute } from './api/errors.ts';
import { IdempotencyKeys } from './api/idempotency.ts';
import { OPERATIONS } from './api/operations.ts';
import { serve } from './api/pipeline.ts';
import type { Service } from './api/pipeline.ts';
import { isRouteOfSdk } from './api/sdk-routes.ts';
import { elapse } from './billing/elapse.ts';
import type { Dunning } from './billing/dunning.ts';
import type { Clock } from './clock.ts';
import { control, CONTROL_ROUTES } from './control.ts';
import { followSubscription } from './entitlements/active.ts';
import { Faults } from './faults.ts';
import { adjustQuantity, applyCode, payCheckout, showCheckout } from './hosted/checkout.ts';
import { notice } from './hosted/html.ts';
import { downloadInvoice } from './hosted/invoice-pdf.ts';
import { payInvoice, showInvoice } from './hosted/invoice.ts';
import { cancelSubscription, keepSubscription, showCancel } from './hosted/portal-cancel.ts';
import { changePaymentMethod, showPaymentMethod } from './hosted/portal-card.ts';
import { payFromPortal } from './hosted/portal-pay.ts';
import { keepPlan } from './hosted/portal-schedule.ts';
import { showUpdate, updateSubscription } from './hosted/portal-update.ts';
import { showPortal } from './hosted/portal.ts';
import { visitLink } from './links/visit.ts';
import type { Plans } from './plans.ts';
import { seedState } from './plans.ts';
import { RequestLog } from './request-log.ts';
import type { State } from './state.ts';
import type { Webhooks } from './webhooks.ts';
import { restart, unattended } from './world.ts';
import type { Scope, World } from './world.ts';

type App = Parameters<Parameters<typeof defineEmulator>[0]['setup']>[0]['app'];

interface Settings {
  plans: Plans;
  webhooks: Webhooks;
  apiKey: string | undefined;
  clock: Clock;
  dunning: Dunning;
  limits: boolean;
  /** The address that the hosted pages are linked with; the port is the one that is listened on. */
  hostname: string;
}

/** The definition for emulate, and `reset`, which starts again from the seed without dropping the server. */
export function stripeEmulator({ plans, webhooks, apiKey, clock, dunning, limits, hostname }: Settings) {
  const service: Service = {
    faults: new Faults(),
    log: new RequestLog(),
    keys: new IdempotencyKeys(),
    apiKey,
  };
  const now = (): number => clock.now();
  const seed = (): State => seedState(plans, now());
  let reset = (): void => undefined;

  const definition = defineEmulator<State>({
    name: 'stripe',
    cors: false,
    state: seed,
    setup({ app, state, baseUrl, signal }) {
      const world: World = {
        state,
        origin: `http://${hostname}:${new URL(baseUrl).port}`,
        now,
        dunning,
        limits,
        follow: followSubscription,
        endpoints: webhooks.endpoints.length,
        deliver: (event) => {
          webhooks.deliver(event);
        },
      };
      const forget = (): void => {
        service.faults.clear();
        service.log.clear();
        webhooks.reset();
      };
      // Held requests must end before emulate waits for all requests to end.
      signal.addEventListener('abort', forget);
      reset = () => {
        forget();
        clock.reset();
        restart(state, seed());
      };
      serveApi(app, service, world);
      serveHostedPages(app, world);
      for (const route of CONTROL_ROUTES) {
        const controls = { ...service, world, clock, webhooks, reset };
        app.on(route.method, route.path, (c) => control(route, controls, c.req.raw, c.req.param('id')));
      }
    },
  });
  return {
    definition,
    reset: () => {
      reset();
    },
  };
}

function serveApi(app: App, service: Service, world: World): void {
  for (const operation of OPERATIONS) {
    app.on(operation.method, operation.path, (c) =>
      serve(service, world, operation, c.req.raw, idOf(c.req.param('id'), c.req.param('child'))),
    );
  }
  app.notFound((c) => {
    const { method, path } = c.req;
    if (!/^\/v[12]\//.test(path)) return notice(404, 'Not found', 'There is no such page here.', null);
    const error = isRouteOfSdk(method, path) ? unsupportedRoute(method, path) : unrecognizedUrl(method, path);
    return Response.json(error.body, { status: error.status });
  });
}

function idOf(id: string, child = ''): string {
  return child === '' ? id : `${id}/${child}`;
}

function serveHostedPages(app: App, world: World): void {
  const visit = (): Scope => {
    elapse(world);
    return unattended(world);
  };
  app.get('/c/pay/:id', (c) => showCheckout(visit(), c.req.param('id')));
  const posts = { '': payCheckout, '/promotion-code': applyCode, '/quantity': adjustQuantity };
  for (const [path, handle] of Object.entries(posts)) {
    app.post(`/c/pay/:id${path}`, async (c) => {
      const form = new URLSearchParams(await c.req.text());
      return handle(visit(), c.req.param('id'), form);
    });
  }
  app.get('/buy/:id', (c) => visitLink(visit(), c.req.param('id'), new URL(c.req.url).searchParams));
  serveInvoices(app, visit);
  servePortal(app, visit);
}

function serveInvoices(app: App, visit: () => Scope): void {
  app.get('/i/:id', (c) => showInvoice(visit(), c.req.param('id')));
  app.get('/i/:id/pdf', (c) => downloadInvoice(visit(), c.req.param('id')));
  app.post('/i/:id', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    return payInvoice(visit(), c.req.param('id'), form);
  });
}

function servePortal(app: App, visit: () => Scope): void {
  app.get('/p/session/:id', (c) => showPortal(visit(), c.req.param('id')));
  app.get('/p/session/:id/payment-method', (c) => showPaymentMethod(visit(), c.req.param('id')));
  app.post('/p/session/:id/payment-method', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    return changePaymentMethod(visit(), c.req.param('id'), form);
  });
  const subscription = '/p/session/:id/subscriptions/:subscription';
  app.get(`${subscription}/cancel`, (c) =>
    showCancel(visit(), c.req.param('id'), c.req.param('subscription')),
  );
  app.get(`${subscription}/update`, (c) => {
    const query = new URL(c.req.url).searchParams;
    return showUpdate(visit(), c.req.param('id'), c.req.param('subscription'), query);
  });
  app.post('/p/session/:id/invoices/:invoice/pay', (c) =>
    payFromPortal(visit(), c.req.param('id'), c.req.param('invoice')),
  );
  const posts = {
    cancel: cancelSubscription,
    'keep-plan': keepPlan,
    resume: keepSubscription,
    update: updateSubscription,
  };
  for (const [action, handle] of Object.entries(posts)) {
    app.post(`${subscription}/${action}`, async (c) => {
      const form = new URLSearchParams(await c.req.text());
      return handle(visit(), c.req.param('id'), c.req.param('subscription'), form);
    });
  }
}
