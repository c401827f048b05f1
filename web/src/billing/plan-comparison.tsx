import type { Plan } from '@hearth/client';
import { Check, Minus } from 'lucide';
import { Icon } from '../ui/icon.tsx';
import { comparisonOf, type Cell } from './comparison.ts';
import { amountIn, formatPrice, offerOf, periodOf, textWithoutOffer, type Interval } from './offers.ts';
import { billingTexts } from './texts.ts';

interface PlanComparisonProps {
  plans: readonly Plan[];
  /** The plan that the visitor has, if any. */
  current?: Plan | undefined;
  /** False for a person, whose own plan gives their teams no seats. */
  hasSeats?: boolean;
  interval: Interval;
  currency: string | undefined;
}

/** The plans side by side: the price, every limit and everything that a plan includes. */
export function PlanComparison({ plans, current, hasSeats = true, interval, currency }: PlanComparisonProps) {
  const texts = billingTexts().comparison;
  return (
    // A list of many plans is wider than a phone. The region scrolls, also by the keyboard.
    <div class="card comparison" role="region" aria-label={texts.label} tabIndex={0}>
      <table>
        <caption>{texts.title}</caption>
        <thead>
          <tr>
            <td />
            {plans.map((plan) => (
              <th key={plan.slug} scope="col" class={plan === current ? 'current' : undefined}>
                {plan.name}
                {plan === current && <span class="badge">{billingTexts().offer.yourPlan}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{texts.price}</th>
            {plans.map((plan) => (
              <td key={plan.slug} class={plan === current ? 'current' : undefined}>
                {priceOf(plan, { interval, currency, hasSeats })}
              </td>
            ))}
          </tr>
          {comparisonOf(plans, hasSeats).map(({ label, cells }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {plans.map((plan, index) => (
                <td key={plan.slug} class={plan === current ? 'current' : undefined}>
                  <Value cell={cells[index] ?? false} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ cell }: { cell: Cell }) {
  if (typeof cell === 'string') return cell;
  return (
    <span class={cell ? 'included' : 'muted'}>
      <Icon icon={cell ? Check : Minus} size={18} />
      <span class="visually-hidden">
        {cell ? billingTexts().comparison.included : billingTexts().comparison.notIncluded}
      </span>
    </span>
  );
}

type Priced = Required<Pick<PlanComparisonProps, 'hasSeats' | 'interval' | 'currency'>>;

function priceOf(plan: Plan, { hasSeats, interval, currency }: Priced): string {
  const offer = offerOf(plan, interval);
  if (offer === undefined) return textWithoutOffer(plan);
  const { unitAmount, currency: shown } = amountIn(offer.price, currency);
  return `${formatPrice(unitAmount, shown)} ${periodOf(offer, plan.perSeat && hasSeats)}`;
}
