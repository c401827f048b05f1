import { h } from '../dom.ts';
import { card } from '../layout.ts';
import { isPaidPlan, planName } from '../plans.ts';

export function planCard(slug: string): HTMLElement {
  const label = isPaidPlan(slug) ? 'Manage billing' : 'See the plans';
  return card(
    'Plan',
    h(
      'div',
      { class: 'card-head' },
      h('span', { class: 'badge' }, planName(slug)),
      h('a', { class: 'button', href: '/billing' }, label),
    ),
  );
}
