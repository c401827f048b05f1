import type { Plan } from '@hearth/client';
import { Check, Minus } from 'lucide';
import { Icon } from '../ui/icon.tsx';
import { comparisonOf, type Cell } from './comparison.ts';
import { amountIn, formatPrice, offerOf, periodOf, type Interval } from './offers.ts';

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
  return (
    // A list of many plans is wider than a phone. The region scrolls, also by the keyboard.
    <div class="card comparison" role="region" aria-label="Comparison of the plans" tabIndex={0}>
      <table>
        <caption>Compare the plans</caption>
        <thead>
          <tr>
            <td />
            {plans.map((plan) => (
              <th key={plan.slug} scope="col" class={plan === current ? 'current' : undefined}>
                {plan.name}
                {plan === current && <span class="badge">Your plan</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Price</th>
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
      <span class="visually-hidden">{cell ? 'Included' : 'Not included'}</span>
    </span>
  );
}

type Priced = Required<Pick<PlanComparisonProps, 'hasSeats' | 'interval' | 'currency'>>;

function priceOf(plan: Plan, { hasSeats, interval, currency }: Priced): string {
  const offer = offerOf(plan, interval);
  if (offer === undefined) return plan.prices === null ? 'Free' : 'Not on sale';
  const { unitAmount, currency: shown } = amountIn(offer.price, currency);
  return `${formatPrice(unitAmount, shown)} ${periodOf(offer, plan.perSeat && hasSeats)}`;
}
