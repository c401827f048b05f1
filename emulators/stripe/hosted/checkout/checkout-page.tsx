import { couponFor } from '../../billing/discounts/discounts.ts';
import { amountOf, isMetered, unitAmount } from '../../billing/invoices/amounts.ts';
import type { CheckoutSession, LineItem } from '../../objects.ts';
import { isRecurring } from '../../resources/checkout/checkout-items.ts';
import { hasTrial, quantityLimits, requestOf } from '../../resources/checkout/checkout-totals.ts';
import type { Checkout } from '../../resources/checkout/checkout-totals.ts';
import type { Scope } from '../../world.ts';
import { typedCard } from '../card-check.ts';
import { CardFields } from '../card-fields.tsx';
import { Alert, Fact, Field } from '../fields.tsx';
import type { Problem } from '../fields.tsx';
import { cycle, money } from '../money.ts';
import { page, QuietLink } from '../page.tsx';
import { DetailFields } from './detail-fields.tsx';
import { typedDetails } from './details.ts';

/** Whether a card is asked for: always if something is due, and otherwise unless the session says if required. */
export function wantsCard({
  amount_total: total,
  payment_method_collection: collection,
}: CheckoutSession): boolean {
  return (total ?? 0) > 0 || collection !== 'if_required';
}

interface Shown {
  scope: Scope;
  open: Checkout;
  /** The values that were typed. */
  form: URLSearchParams;
  problem: Problem | null;
}

/** The page of an open session. */
export function checkoutPage(status: number, shown: Shown): Response {
  const { session, details } = shown.open;
  const [first] = details.lineItems;
  const more = details.lineItems.length - 1;
  const name = `${first?.description ?? 'a plan'}${more > 0 ? ` and ${more} more` : ''}`;
  const title = `${verb(session, hasTrial(details))} ${name}`;
  return page(status, title, <CheckoutPage {...shown} title={title} />, [session.success_url]);
}

function verb({ mode }: CheckoutSession, trial: boolean): string {
  if (mode === 'payment') return 'Buy';
  return trial ? 'Try' : 'Subscribe to';
}

function CheckoutPage({ scope, open, form, problem, title }: Shown & { title: string }) {
  const { session, details } = open;
  const email = session.customer_details?.email;
  return (
    <>
      <h1>{title}</h1>
      <Price scope={scope} open={open} />
      <dl>
        {details.lineItems.map((item) => (
          <ItemFact key={item.id} scope={scope} item={item} />
        ))}
        <DiscountFacts scope={scope} session={session} />
        {email ? <Fact name="E-mail" value={email} /> : null}
      </dl>
      <Alert problem={problem} />
      <QuantityForms {...open} />
      {session.allow_promotion_codes ? <PromotionForm {...{ session, form, problem }} /> : null}
      <form method="post" action={`/c/pay/${session.id}`}>
        <DetailFields values={typedDetails(scope, session, form)} problem={problem} />
        {wantsCard(session) ? <CardFields values={typedCard(scope, form)} problem={problem} /> : null}
        <button type="submit">{hasTrial(details) ? 'Start trial' : `Pay ${total(session)}`}</button>
      </form>
      {session.cancel_url === null ? null : <QuietLink href={session.cancel_url} text="Cancel" />}
    </>
  );
}

function total({ amount_total: amount, currency }: CheckoutSession): string {
  return money(amount ?? 0, currency ?? 'usd');
}

function Price({ scope, open: { session, details } }: Pick<Shown, 'scope' | 'open'>) {
  const recurring = details.lineItems.filter(isRecurring);
  const currency = session.currency ?? 'usd';
  const every = <small>per {recurring[0] ? cycle(recurring[0].price) : 'period'}</small>;
  if (!hasTrial(details)) {
    // With a one-time price, the total is not the amount of each period.
    const isEachPeriod = recurring.length === details.lineItems.length;
    return (
      <p class="price">
        {total(session)} {isEachPeriod ? every : null}
      </p>
    );
  }
  const { trialDays, trialEnd } = details.subscription;
  const full = recurring.reduce((sum, item) => sum + amountOf(scope, item.price, item.quantity, currency), 0);
  const days = trialDays ?? Math.ceil(((trialEnd ?? 0) - scope.now()) / 86_400);
  return (
    <>
      <p class="price">{days} days free</p>
      <p class="soft">
        Then {money(full, currency)} {every}
      </p>
    </>
  );
}

function ItemFact({ scope, item }: { scope: Scope; item: LineItem }) {
  const { description, price, quantity, amount_subtotal: amount, currency } = item;
  const unit = Number(unitAmount(scope, price, currency));
  const times = quantity !== null && quantity > 1 ? ` × ${quantity}` : '';
  return (
    <Fact
      name={`${description ?? price.id}${times}`}
      value={isMetered(price) ? `${money(unit, currency)} per unit used` : money(amount, currency)}
    />
  );
}

function DiscountFacts({ scope, session }: { scope: Scope; session: CheckoutSession }) {
  const off = session.total_details?.amount_discount ?? 0;
  const customer = scope.state.customers.get(session.customer ?? '') ?? null;
  const found = (session.discounts ?? []).map((discount) =>
    couponFor(scope, requestOf(discount), { customer, param: 'discounts' }),
  );
  return (
    <>
      {found.map(({ code, coupon }) => (
        <Fact
          key={coupon.id}
          name={code?.code ?? coupon.name ?? coupon.id}
          value={money(-off, session.currency ?? 'usd')}
        />
      ))}
    </>
  );
}

function QuantityForms({ session, details }: Checkout) {
  const adjustable = details.lineItems.filter((item) => item.adjustable_quantity?.enabled);
  return (
    <>
      {adjustable.map((item) => {
        const { least, most } = quantityLimits(item);
        return (
          <form key={item.id} class="inline" method="post" action={`/c/pay/${session.id}/quantity`}>
            <input type="hidden" name="item" value={item.id} />
            <div>
              <Field
                name="quantity"
                label={`How many of ${item.description ?? item.price.id}`}
                value={String(item.quantity)}
                type="number"
                inputmode="numeric"
                min={least}
                max={most}
              />
            </div>
            <button type="submit" class="quiet">
              Update
            </button>
          </form>
        );
      })}
    </>
  );
}

type PromotionProps = Pick<Shown, 'form' | 'problem'> & { session: CheckoutSession };

function PromotionForm({ session, form, problem }: PromotionProps) {
  const action = `/c/pay/${session.id}/promotion-code`;
  if (session.discounts && session.discounts.length > 0) {
    return (
      <form method="post" action={action}>
        <button type="submit" class="quiet">
          Remove promotion code
        </button>
      </form>
    );
  }
  const value = form.get('promotion_code') ?? '';
  return (
    <form class="inline" method="post" action={action}>
      <div>
        <Field name="promotion_code" label="Promotion code" value={value} problem={problem} />
      </div>
      <button type="submit" class="quiet">
        Apply
      </button>
    </form>
  );
}
