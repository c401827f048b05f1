import type { Params, Route } from '../http/router.ts';
import { visitLink } from '../links/visit.ts';
import type { Scope } from '../world.ts';
import { adjustQuantity, applyCode, payCheckout, showCheckout } from './checkout/checkout.ts';
import { downloadInvoice } from './invoice-pdf.ts';
import { payInvoice, showInvoice } from './invoice.tsx';
import { cancelSubscription, keepSubscription, showCancel } from './portal/portal-cancel.tsx';
import { changePaymentMethod, showPaymentMethod } from './portal/portal-card.tsx';
import { payFromPortal } from './portal/portal-pay.tsx';
import { keepPlan } from './portal/portal-schedule.tsx';
import { showUpdate, updateSubscription } from './portal/portal-update.tsx';
import { showPortal } from './portal/portal.tsx';

/** Answers a visit of a page. `given` has the query of a GET and the form of a POST. */
type Page = (scope: Scope, params: Params, given: URLSearchParams) => Response;

const SUBSCRIPTION = '/p/session/:id/subscriptions/:subscription';

/** The pages that customers see, by method and path. */
const PAGES: readonly (readonly [method: 'GET' | 'POST', path: string, page: Page])[] = [
  ['GET', '/c/pay/:id', (scope, param) => showCheckout(scope, param('id'))],
  ['POST', '/c/pay/:id', (scope, param, form) => payCheckout(scope, param('id'), form)],
  ['POST', '/c/pay/:id/promotion-code', (scope, param, form) => applyCode(scope, param('id'), form)],
  ['POST', '/c/pay/:id/quantity', (scope, param, form) => adjustQuantity(scope, param('id'), form)],
  ['GET', '/buy/:id', (scope, param, query) => visitLink(scope, param('id'), query)],
  ['GET', '/i/:id', (scope, param) => showInvoice(scope, param('id'))],
  ['GET', '/i/:id/pdf', (scope, param) => downloadInvoice(scope, param('id'))],
  ['POST', '/i/:id', (scope, param, form) => payInvoice(scope, param('id'), form)],
  ['GET', '/p/session/:id', (scope, param) => showPortal(scope, param('id'))],
  ['GET', '/p/session/:id/payment-method', (scope, param) => showPaymentMethod(scope, param('id'))],
  [
    'POST',
    '/p/session/:id/payment-method',
    (scope, param, form) => changePaymentMethod(scope, param('id'), form),
  ],
  [
    'POST',
    '/p/session/:id/invoices/:invoice/pay',
    (scope, param) => payFromPortal(scope, param('id'), param('invoice')),
  ],
  ['GET', `${SUBSCRIPTION}/cancel`, (scope, param) => showCancel(scope, param('id'), param('subscription'))],
  [
    'GET',
    `${SUBSCRIPTION}/update`,
    (scope, param, query) => showUpdate(scope, param('id'), param('subscription'), query),
  ],
  ...Object.entries({
    cancel: cancelSubscription,
    'keep-plan': keepPlan,
    resume: keepSubscription,
    update: updateSubscription,
  }).map(
    ([action, change]) =>
      [
        'POST',
        `${SUBSCRIPTION}/${action}`,
        (scope: Scope, param: Params, form: URLSearchParams) =>
          change(scope, param('id'), param('subscription'), form),
      ] as const,
  ),
];

/**
 * The routes of the hosted pages.
 * @param visit begins a visit after running everything that is due
 */
export function hostedRoutes(visit: () => Scope): Route[] {
  return PAGES.map(([method, path, page]) => ({
    method,
    path,
    handle: async (request, params) => {
      const given = await givenIn(request);
      return page(visit(), params, given);
    },
  }));
}

async function givenIn(request: Request): Promise<URLSearchParams> {
  return request.method === 'GET'
    ? new URL(request.url).searchParams
    : new URLSearchParams(await request.text());
}
