import type { CardMethod, Customer, PaymentMethod, Subscription } from '../objects.ts';
import { emit, update } from '../world.ts';
import type { Scope, World } from '../world.ts';
import { newBankAccount } from './bank-accounts.ts';
import { chargeOutcome, newCard } from './cards.ts';
import type { BankAnswer } from './cards.ts';

/** Stores a card without a customer. Emits no event. */
export function createCard(scope: Scope, number: string, authenticated = false): CardMethod {
  const method = newCard(number, scope.now());
  scope.state.paymentMethods.insert(method);
  scope.state.cardNumbers.insert({ id: method.id, number, authenticated });
  return method;
}

/** Stores a bank account without a customer. Emits no event. */
export function createBankAccount(
  scope: Scope,
  iban: string,
  owner: { email: string; name: string },
): PaymentMethod {
  const method = scope.state.paymentMethods.insert(newBankAccount(iban, owner, scope.now()));
  scope.state.bankAccounts.insert({ id: method.id, iban });
  return method;
}

/** True if a charge of this payment method takes days. */
export function isBankDebit({ type }: PaymentMethod): boolean {
  return type === 'sepa_debit';
}

/**
 * Gives a payment method to a customer, who may be charged with it from now on. The owner of a bank account stays as
 * it is.
 */
export function attachMethod(scope: Scope, method: PaymentMethod, customer: Customer): PaymentMethod {
  scope.state.paymentMethods.patch(method.id, { customer: customer.id });
  const payer = { email: customer.email, name: customer.name ?? null };
  const attached = isBankDebit(method)
    ? scope.state.paymentMethods.latest(method)
    : billTo(scope, method, payer);
  emit(scope, 'payment_method.attached', attached);
  return attached;
}

/** Stores the name and e-mail address of the payer with a card. */
export function billTo(
  { state }: Scope,
  method: PaymentMethod,
  { email, name }: { email: string | null; name: string | null },
): PaymentMethod {
  const { billing_details: before } = state.paymentMethods.latest(method);
  return state.paymentMethods.patch(method.id, { billing_details: { ...before, email, name } });
}

/** Removes a payment method from its customer and from the subscriptions that it pays for. */
export function detachMethod(scope: Scope, { id, customer: owner }: PaymentMethod): PaymentMethod {
  const detached = scope.state.paymentMethods.patch(id, { customer: null });
  emit(scope, 'payment_method.detached', detached, { customer: owner });
  const customer = owner === null ? undefined : scope.state.customers.get(owner);
  if (customer?.invoice_settings.default_payment_method === id) setDefaultMethod(scope, customer, null);
  for (const subscription of scope.state.subscriptions) {
    if (subscription.default_payment_method === id) {
      update(scope, 'customer.subscription.updated', subscription, { default_payment_method: null });
    }
  }
  return detached;
}

/** Sets the payment method for a customer's invoices, unless their subscription has one of its own. */
export function setDefaultMethod(scope: Scope, customer: Customer, id: string | null): void {
  update(scope, 'customer.updated', customer, {
    invoice_settings: { ...customer.invoice_settings, default_payment_method: id },
  });
}

/** The payment method for a subscription's invoices: its own, or the customer's default. */
export function payingMethod(
  { state }: World,
  { customer, default_payment_method: own }: Pick<Subscription, 'customer' | 'default_payment_method'>,
): PaymentMethod | undefined {
  const id = own ?? state.customers.get(customer)?.invoice_settings.default_payment_method;
  return typeof id === 'string' ? state.paymentMethods.get(id) : undefined;
}

/**
 * The bank's answer to a charge of a saved payment method. `seen` means that the customer is present and authenticates.
 */
export function charge({ state }: World, method: PaymentMethod, seen: boolean): BankAnswer {
  if (isBankDebit(method)) return 'pending';
  const card = state.cardNumbers.get(method.id);
  return chargeOutcome(card?.number ?? '', seen ? 'now' : card?.authenticated ? 'before' : 'never');
}
