import type { CancelReason } from '@hearth/client';
import type { ComponentChildren } from 'preact';

type Interval = 'month' | 'year';

/** The page of billing, and the plans of the start page. */
export const BILLING = {
  title: 'Billing',
  plans: 'plans',
  subscription: 'subscription',
  leftCheckout: 'You left the checkout. Nothing was charged.',
  code: (code: string) => `The promotion code ${code} applies to a subscription that you begin here.`,
  notAllowed: (team: string) => `Owners and admins manage the billing of ${team}. This is your own plan.`,
  noSeats: 'A plan for yourself gives your teams no seats. Choose a team at the top to buy for it.',
  unverified: (email: ComponentChildren): ComponentChildren => (
    <>
      Your address {email} is not verified. The free trial needs a verified address. Before you subscribe,
      open the link in the message that we sent there.
    </>
  ),

  current: {
    yours: 'Your plan',
    ofTeam: 'The team’s plan',
    free: 'Free',
    youHaveNone: 'You have no subscription.',
    teamHasNone: 'The team has no subscription.',
    owned: (plan: string) => `${plan} is paid for without an end.`,
    comped: (plan: string, until: string | undefined) =>
      until === undefined ? `${plan} is free of charge.` : `${plan} is free of charge until ${until}.`,
    fromAppStore: (plan: string, until: string | undefined, mayRenew: boolean) => {
      const bought = `${plan} was bought in an app store.`;
      if (until === undefined) return bought;
      return `${bought} It ends on ${until}${mayRenew ? ', unless it renews there' : ''}.`;
    },
    givesNothing: (plan: string) => `The subscription to ${plan} gives no plan at the moment.`,
    isReplaced: (plan: string) =>
      `The subscription to ${plan} gives no plan. It ends when you subscribe again.`,
    isToOther: (plan: string) => `The subscription is to ${plan}.`,
    manage: 'Manage billing',
    onStripe: 'Billing address, tax numbers and more, on Stripe’s pages.',
    unpaid: 'There is an invoice to pay.',
    pay: 'Pay the invoice',
    planned: (plan: string | undefined, date: string) =>
      `The plan changes to ${plan ?? 'another one'} on ${date}.`,
    plannedInterval: (interval: Interval, date: string) => `You pay by the ${interval} from ${date}.`,
    plannedBySupport: (date: string) =>
      `Support has planned a change of this subscription for ${date}. Ask support about it.`,
    paymentMethod: 'Change the payment method',
  },

  states: {
    cancelled: (end: string) => `Cancelled: it ends on ${end}.`,
    trial: (end: string) => `In its trial until ${end}.`,
    active: (end: string) => `Active: it renews on ${end}.`,
    pastDue: 'The last payment failed. Update your payment method.',
    unpaid: 'The last payment failed.',
    paused: 'Paused.',
    ended: 'Not active.',
  },

  cancel: {
    title: 'Cancel the subscription',
    atOnce: 'It ends immediately.',
    endsWithPeriod: 'It ends with the paid period. Until then everything stays as it is.',
    endsOn: (end: string) => `It ends on ${end}. Until then everything stays as it is.`,
    reason: 'Reason',
    reasons: {
      other: 'Another reason',
      too_expensive: 'It is too expensive',
      missing_features: 'Something is missing',
      switched_service: 'I use something else now',
      unused: 'I do not use it enough',
      customer_service: 'The support',
      too_complex: 'It is too complicated',
      low_quality: 'The quality',
    } as Record<CancelReason, string>,
    comment: 'Comment',
    keep: 'Keep the subscription',
    resume: 'Resume the subscription',
  },

  change: {
    to: (plan: string) => `Change to ${plan}`,
    payBy: (plan: string, interval: Interval) => `Pay for ${plan} by the ${interval}`,
    when: 'When',
    now: 'Now, and pay or get back the difference',
    periodEnd: 'At the end of the paid period',
    submitNow: 'Change now',
    submitLater: 'Change later',
    nowInstead: 'Choose now instead',
    keep: 'Keep the plan',
    amount: 'amount',
    invoiceOf: (date: string) => `The invoice of ${date}`,
    item: 'Item',
    toPay: 'To pay',
    unpaid: 'The payment failed. The plan changes when the invoice is paid.',
    pay: 'Pay the invoice',
    close: 'Close',
  },

  terms: {
    pay: 'Pay',
    month: 'Monthly',
    year: 'Yearly',
    saving: (percent: number) => `save up to ${percent} %`,
    currency: 'Currency',
  },

  offer: {
    plans: 'Plans',
    yourPlan: 'Your plan',
    free: 'Free',
    notOnSale: 'Not on sale',
    once: 'once',
    every: (interval: Interval) => `a ${interval}`,
    perMember: (interval: Interval) => `a member and ${interval}`,
    eachMember: (amount: string, included: number) =>
      included === 0
        ? `and ${amount} for each member`
        : `and ${amount} for each member after the first ${included}`,
    seats: (count: number) => `${count} seats`,
    seatsInTeam: (count: number) => (count === 1 ? 'One seat' : `${count} seats in a team`),
    files: (size: string) => `${size} of files`,
    fileSize: (size: string) => `Files up to ${size}`,
    buyOnce: (item: string, amount: string) => `Buy ${item} once for ${amount}`,
    buy: (item: string, amount: string) => `Buy ${item} for ${amount}`,
    subscribe: (plan: string) => `Subscribe to ${plan}`,
    change: (plan: string) => `Change to ${plan}`,
    start: 'Start for free',
    choose: (plan: string) => `Choose ${plan}`,
  },

  comparison: {
    label: 'Comparison of the plans',
    title: 'Compare the plans',
    price: 'Price',
    seats: 'Seats in a team',
    storage: 'Storage',
    fileSize: 'Largest file',
    included: 'Included',
    notIncluded: 'Not included',
  },

  credits: { title: 'Credits', count: (count: number) => `${count} credits` },

  invoices: {
    title: 'Invoices',
    empty: 'There are no invoices yet.',
    more: 'Show more',
    date: 'Date',
    amount: 'Amount',
    status: 'Status',
    documents: 'Documents',
    statuses: { open: 'To pay', paid: 'Paid', void: 'Void', uncollectible: 'Not collected' },
    pay: 'Pay',
    payInvoice: (number: string) => `Pay invoice ${number}`,
    view: 'View',
    viewInvoice: (number: string) => `View invoice ${number}`,
    pdfOf: (number: string) => `PDF of invoice ${number}`,
  },

  success: {
    subscribed: { eyebrow: 'Checkout complete', title: 'Thank you', text: 'The subscription is active.' },
    paid: { eyebrow: 'Checkout complete', title: 'Thank you', text: 'The payment has arrived.' },
    waiting: {
      eyebrow: 'Checkout',
      title: 'Waiting for the payment',
      text: 'Stripe confirms it in a moment. This page shows it.',
    },
    late: {
      eyebrow: 'Checkout',
      title: 'No payment yet',
      text: 'If you have paid, the plan starts as soon as Stripe confirms it. If you have not, nothing is charged.',
    },
    dashboard: 'Go to your dashboard',
    billing: 'Billing',
  },
};
