import { fetchSession } from '../api.ts';
import { h } from '../dom.ts';
import { isPaidPlan, planName } from '../plans.ts';
import { requireSession } from '../session.ts';

/** Stripe tells the backend of the payment in a call of its own, which may arrive after the person does. */
const CHECKS = 8;
const CHECK_EVERY_MS = 1500;

export async function render(main: HTMLElement): Promise<void> {
  const session = await requireSession();
  if (session === undefined) return;
  const status = h('p', { class: 'lead', role: 'status' });
  main.replaceChildren(
    h(
      'div',
      { class: 'narrow hero' },
      h('p', { class: 'eyebrow' }, 'Checkout complete'),
      h('h1', {}, 'Thank you'),
      status,
      h(
        'p',
        { class: 'actions' },
        h('a', { class: 'button primary', href: '/dashboard' }, 'Go to your dashboard'),
        h('a', { class: 'button', href: '/billing' }, 'Billing'),
      ),
    ),
  );
  let { plan } = session;
  for (let check = 0; check < CHECKS && !isPaidPlan(plan); check++) {
    status.textContent = 'Your subscription is being set up …';
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
    plan = (await fetchSession())?.plan ?? plan;
  }
  status.textContent = isPaidPlan(plan)
    ? `You are on the ${planName(plan)} plan now.`
    : 'Your subscription will show here in a few minutes.';
}
