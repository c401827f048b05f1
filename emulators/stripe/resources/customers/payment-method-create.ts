import {
  cardError,
  InvalidParameter,
  missingParameter,
  noSuchObject,
  unsupportedParameter,
} from '../../api/errors.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import {
  builtOf,
  integer,
  metadata,
  names,
  oneOf,
  required,
  shape,
  text,
} from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import { compactIban, isTestIban, isUnbuiltIban } from '../../billing/bank-accounts.ts';
import { cardNumber } from '../../billing/cards.ts';
import { createBankAccount, createCard } from '../../billing/payment-methods.ts';
import type { PaymentMethod } from '../../objects.ts';
import type { Scope } from '../../world.ts';

const OTHER_TYPES = names(`
  acss_debit affirm afterpay_clearpay alipay alma amazon_pay au_becs_debit bacs_debit bancontact
  billie bizum blik boleto cashapp crypto custom customer_balance eps fpx giropay grabpay ideal
  kakao_pay klarna konbini kr_card link mb_way mobilepay multibanco naver_pay nz_bank_account oxxo
  p24 pay_by_bank payco paynow paypal paypay payto pix promptpay revolut_pay samsung_pay satispay
  scalapay sequra sofort sunbit swish twint upi us_bank_account wechat_pay zip
`);

export const allowRedisplay = oneOf('always', 'limited', 'unspecified');
export const type = builtOf(['card', 'sepa_debit'], OTHER_TYPES);

const createParams = {
  allow_redisplay: allowRedisplay,
  billing_details: shape({ email: text(512), name: text() }, ['address', 'phone', 'tax_id']),
  card: shape(
    { number: text(), exp_month: integer(1, 12), exp_year: integer(2000, 2100), cvc: text(4), token: text() },
    ['networks'],
  ),
  metadata: metadata(),
  sepa_debit: shape({ iban: required(text()) }),
  type: required(type),
};

type CreateParams = Parsed<typeof createParams>;

/** https://docs.stripe.com/api/payment_methods/create */
export const createMethodOperation = operation({
  method: 'POST',
  path: '/v1/payment_methods',
  params: createParams,
  unsupported: [...OTHER_TYPES, 'customer', 'interac_present', 'payment_method', 'radar_options'],
  run: ({ scope, params }) => {
    const { id } = params.type === 'card' ? cardFrom(scope, params) : bankAccountFrom(scope, params);
    return scope.state.paymentMethods.patch(id, {
      allow_redisplay: params.allow_redisplay ?? 'unspecified',
      metadata: mergeMetadata({}, params.metadata),
    });
  },
});

/** `pm_card_visa` and similar ids make a new card each time that they are used. */
export function requestedMethod(scope: Scope, id: string): PaymentMethod {
  const method = scope.state.paymentMethods.get(id);
  if (method) return method;
  const number = id.startsWith('pm_card_') ? cardNumber(id.slice('pm_card_'.length)) : undefined;
  if (number === undefined) throw noSuchObject('PaymentMethod', id);
  return createCard(scope, number);
}

function cardFrom(
  scope: Scope,
  { card: given, sepa_debit: account, ...params }: CreateParams,
): PaymentMethod {
  if (given === undefined) throw missingParameter('card');
  if (account !== undefined) throw otherType('sepa_debit', params);
  if (params.billing_details !== undefined) throw unsupportedParameter('billing_details with type=card');
  const { number, token } = given;
  const known = cardNumber(number ?? token?.replace(/^tok_/, '') ?? '');
  if (number === undefined && token === undefined) throw missingParameter('card[number]');
  if (known === undefined) {
    throw cardError({
      code: 'incorrect_number',
      message: 'Your card number is incorrect. The local Stripe takes test cards only.',
    });
  }
  const { card, id } = createCard(scope, known);
  const { exp_month: month = card.exp_month, exp_year: year = card.exp_year } = given;
  return scope.state.paymentMethods.patch(id, { card: { ...card, exp_month: month, exp_year: year } });
}

function bankAccountFrom(
  scope: Scope,
  { billing_details: { email, name } = {}, card, sepa_debit: account, ...params }: CreateParams,
): PaymentMethod {
  if (account === undefined) throw missingParameter('sepa_debit');
  if (card !== undefined) throw otherType('card', params);
  if (name === undefined) throw missingParameter('billing_details[name]');
  if (email === undefined) throw missingParameter('billing_details[email]');
  const iban = compactIban(account.iban);
  if (isUnbuiltIban(iban)) throw unsupportedParameter(`sepa_debit[iban]=${iban}`);
  if (!isTestIban(iban)) {
    throw new InvalidParameter(
      'The IBAN you provided is invalid. The local Stripe takes test IBANs only.',
      'sepa_debit[iban]',
      'invalid_bank_account_iban',
    );
  }
  return createBankAccount(scope, iban, { email, name });
}

function otherType(parameter: string, { type: given }: Pick<CreateParams, 'type'>): InvalidParameter {
  return new InvalidParameter(`\`${parameter}\` cannot be used with \`type=${given}\`.`, parameter);
}
