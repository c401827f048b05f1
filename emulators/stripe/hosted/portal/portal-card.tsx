import { attachMethod, createCard, setDefaultMethod } from '../../billing/payment-methods.ts';
import type { Scope } from '../../world.ts';
import { checkCard, typedCard } from '../card-check.ts';
import { authenticationPage, CardFields } from '../card-fields.tsx';
import { Alert } from '../fields.tsx';
import type { Problem } from '../fields.tsx';
import { finished, openFeature, portalPage } from './portal-visit.tsx';
import type { Visit } from './portal-visit.tsx';

const NOTHING_TYPED = new URLSearchParams();

/** `GET /p/session/:id/payment-method`: a card to pay with from now on. */
export function showPaymentMethod(unscoped: Scope, id: string): Response {
  const visit = openFeature(unscoped, id, 'payment_method_update');
  return visit instanceof Response ? visit : cardPage(visit, 200, NOTHING_TYPED, null);
}

/**
 * `POST …/payment-method`: saves the card as the customer's default. A subscription with a card of its own keeps it.
 * https://docs.stripe.com/customer-management/portal-deep-links
 */
export function changePaymentMethod(unscoped: Scope, id: string, form: URLSearchParams): Response {
  const visit = openFeature(unscoped, id, 'payment_method_update');
  if (visit instanceof Response) return visit;
  const { scope, customer, session } = visit;
  const card = checkCard(scope, form, false);
  if (card.kind === 'refused') return cardPage(visit, card.status, form, card.problem);
  if (card.kind === 'authenticate')
    return authenticationPage(`/p/session/${session.id}/payment-method`, form, []);
  const method = createCard(scope, card.number, card.authenticated);
  attachMethod(scope, method, customer);
  setDefaultMethod(scope, customer, method.id);
  return finished(visit, 'Your payment method is saved.');
}

function cardPage(visit: Visit, status: number, form: URLSearchParams, problem: Problem | null): Response {
  return portalPage(
    visit,
    status,
    'Payment method',
    <>
      <Alert problem={problem} />
      <form method="post" action={`/p/session/${visit.session.id}/payment-method`}>
        <CardFields values={typedCard(visit.scope, form)} problem={problem} />
        <button type="submit">Save card</button>
      </form>
    </>,
  );
}
