import type { PaidPlan } from '../../../functions/src/plans.ts';
import { h, notice } from '../dom.ts';
import { PAID_PLANS, formatPrice, isPaidPlan, planName } from '../plans.ts';
import { requireSession } from '../session.ts';

export async function render(main: HTMLElement): Promise<void> {
  const session = await requireSession();
  if (session === undefined) return;
  const { plan } = session;
  const paid = isPaidPlan(plan);
  main.replaceChildren(
    h(
      'div',
      { class: 'stack' },
      h('h1', {}, 'Billing'),
      ...(isCancelledCheckout()
        ? [h('div', { role: 'status' }, notice('You left the checkout. Nothing was charged.'))]
        : []),
      h('p', { class: 'lead' }, 'Your plan: ', h('strong', {}, planName(plan))),
      h(
        'div',
        { class: 'tiles' },
        ...PAID_PLANS.map((option) => planTile(option, option.slug === plan, paid)),
      ),
      h(
        'p',
        { class: 'actions' },
        h('a', { class: 'button', href: '/api/auth/portal' }, 'Manage billing'),
        h('span', { class: 'muted small' }, 'Payment methods, invoices and cancellation, on Stripe’s pages.'),
      ),
    ),
  );
}

/** Only the checkout's own way back says so: coming from the portal is no cancellation. */
function isCancelledCheckout(): boolean {
  return new URLSearchParams(location.search).get('checkout') === 'cancelled';
}

function planTile(plan: PaidPlan, isCurrent: boolean, isSubscribed: boolean): HTMLElement {
  const { month } = plan.prices;
  const heading = h('h2', {}, plan.name);
  return h(
    'section',
    { class: 'card' },
    h(
      'div',
      { class: 'card-head' },
      heading,
      ...(isCurrent ? [h('span', { class: 'badge' }, 'Your plan')] : []),
    ),
    h('p', { class: 'price' }, formatPrice(month.unitAmount, month.currency), h('span', {}, ' a month')),
    h('p', { class: 'muted' }, plan.description),
    h(
      'ul',
      { class: 'list' },
      h('li', {}, `${plan.limits.seats} seats`),
      h('li', {}, `${formatGigabytes(plan.limits.uploadMegabytes)} of files`),
    ),
    ...(isCurrent ? [] : [subscribeLink(plan, isSubscribed)]),
  );
}

function subscribeLink(plan: PaidPlan, isSubscribed: boolean): HTMLElement {
  const label = isSubscribed ? `Change to ${plan.name}` : `Subscribe to ${plan.name}`;
  return h('a', { class: 'button primary', href: `/api/auth/checkout/${plan.slug}` }, label);
}

function formatGigabytes(megabytes: number): string {
  return new Intl.NumberFormat(undefined, { style: 'unit', unit: 'gigabyte' }).format(megabytes / 1000);
}
