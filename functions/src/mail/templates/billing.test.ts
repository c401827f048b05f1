import { expect, test } from 'vitest';
import { paymentFailedMail, planEndedMail, trialEndingMail } from './billing.ts';

const MAIL = { plan: 'Pro', teamName: undefined, billingUrl: 'https://app.example.com/billing?a=1&b=2' };
const TRIAL = { ...MAIL, until: new Date('2026-05-08T23:30:00Z') };

test('a trial that ends names the plan and the last day, and links to the billing page', () => {
  const { subject, text, html } = trialEndingMail({ ...TRIAL, mustAddPaymentMethod: false }, 'en');
  expect(subject).toBe('Your free trial of Pro ends on May 8, 2026');
  expect(text).toContain('The free trial of the plan Pro ends on May 8, 2026.');
  expect(text).toContain(`Manage the subscription:\n${MAIL.billingUrl}\n`);
  expect(html).toContain('href="https://app.example.com/billing?a=1&amp;b=2"');
});

test.each([
  ['en', 'add a payment method before that day', 'charged to your payment method', 'Add a payment method'],
  ['de', 'hinterlegen Sie vor diesem Tag', 'über Ihr Zahlungsmittel', 'Zahlungsmittel hinterlegen'],
] as const)('a trial without a payment method says so in %s', (language, missing, charged, button) => {
  const [without, other] = [true, false].map(
    (mustAddPaymentMethod) => trialEndingMail({ ...TRIAL, mustAddPaymentMethod }, language).text,
  );
  expect(without).toContain(missing);
  expect(without).not.toContain(charged);
  expect(without).toContain(`${button}:\n${MAIL.billingUrl}\n`);
  expect(other).toContain(charged);
  expect(other).not.toContain(missing);
});

test.each([
  [1234, 'usd', '$12.34'],
  [1234, 'jpy', '¥1,234'],
])('a failed payment of %i %s reads %s, and links to the invoice', (amount, currency, text) => {
  const invoiceUrl = 'https://invoice.stripe.com/i/1';
  const mail = paymentFailedMail({ ...MAIL, amount, currency, invoiceUrl }, 'en');
  expect(mail.text).toContain(`The payment of ${text} for the plan Pro has failed.`);
  expect(mail.text).toContain(`Pay the invoice:\n${invoiceUrl}\n`);
  expect(mail.html).toContain(`href="${invoiceUrl}"`);
});

test('a failed payment without a page for the invoice links to the billing page', () => {
  const { text } = paymentFailedMail({ ...MAIL, amount: 1, currency: 'usd', invoiceUrl: undefined }, 'en');
  expect(text).toContain(`Update the payment method:\n${MAIL.billingUrl}\n`);
});

test('a plan that has ended names the team, whose name cannot add HTML or a link', () => {
  const { subject, text, html } = planEndedMail({ ...MAIL, teamName: '<b>evil.example</b>' }, 'en');
  expect(subject).toBe('Your plan Pro has ended');
  expect(text).toContain('The plan Pro of the team "<b>evil․example</b>" has ended.');
  expect(html).toContain('&lt;b&gt;evil․example&lt;/b&gt;');
  expect(html).not.toContain('<b>');
});
