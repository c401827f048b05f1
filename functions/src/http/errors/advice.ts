import type { Refusal, RefusalCode } from '../../refusals.ts';
import { TRY_LATER } from './html.ts';

/** The path of the form that asks for a new invitation. */
export const ASK_FOR_INVITATION = '/api/team/ask-for-invitation';

/** A way to go on after an error, besides the link of the route. */
export type ErrorAction = 'switch-account' | 'verify' | 'ask-sender' | 'retry';

/** The advice on an error: a text and ways to go on. */
export interface Advice {
  text: string;
  actions: readonly ErrorAction[];
}

const ASK_SENDER = {
  text: 'Ask the person who invited you for a new invitation. If you need help, contact support.',
  actions: ['ask-sender'],
} as const;

const CHOOSE_PLAN = {
  text: 'Choose a plan on the billing page. If you need help, contact support.',
  actions: [],
} as const;

const OTHERWISE = { text: 'If you need help, contact support.', actions: [] } as const;

const ADVICE: Readonly<Partial<Record<RefusalCode, Advice>>> = {
  // Invitations
  not_recipient: {
    text: 'Sign in with the address that was invited, or ask for an invitation to yours. If you need help, contact support.',
    actions: ['switch-account'],
  },
  email_unverified: {
    text: 'Open the link in the message that we sent to your address. If it does not arrive, send it again or contact support.',
    actions: ['verify'],
  },
  invitation_not_found: ASK_SENDER,
  invitation_expired: ASK_SENDER,
  invitation_cancelled: ASK_SENDER,
  already_rejected: ASK_SENDER,
  already_accepted: {
    text: 'You find your teams on the dashboard. If this one is missing, contact support.',
    actions: [],
  },
  already_member: { text: 'You find it on the dashboard. If it is missing, contact support.', actions: [] },
  no_seat: {
    text: 'Ask an owner of the team for a plan with more seats, then try again. If you need help, contact support.',
    actions: ['retry'],
  },
  team_not_found: { text: 'It may have been deleted. If you need help, contact support.', actions: [] },
  invalid_request: {
    text: 'Open the link from the message or page once more. If you need help, contact support.',
    actions: [],
  },
  // Billing
  forbidden: {
    text: 'An owner or admin of the team can do this. If you need help, contact support.',
    actions: ['switch-account'],
  },
  anonymous_account: { text: 'Sign up or sign in, then try again.', actions: ['switch-account'] },
  checkout_not_found: {
    text: 'It may belong to another account. If you need help, contact support.',
    actions: ['switch-account'],
  },
  plan_not_found: CHOOSE_PLAN,
  plan_is_free: CHOOSE_PLAN,
  plan_not_for_subject: CHOOSE_PLAN,
  interval_not_offered: CHOOSE_PLAN,
  currency_not_offered: CHOOSE_PLAN,
  price_not_available: CHOOSE_PLAN,
  already_owned: { text: 'There is nothing to pay. If you need help, contact support.', actions: [] },
  promotion_code_invalid: {
    text: 'Check the code, or buy without it. If you need help, contact support.',
    actions: [],
  },
  checkout_superseded: {
    text: 'Finish the other checkout, or begin again. If you need help, contact support.',
    actions: ['retry'],
  },
  impersonation_not_allowed: { text: 'Stop seeing the service as this user first.', actions: [] },
  document_damaged: OTHERWISE,
};

/** Advice to try again later is given only where it helps. */
export function adviceOn({ code, isOutage, retryAfter }: Refusal): Advice {
  const known = ADVICE[code];
  if (known !== undefined) return known;
  return isOutage || retryAfter !== undefined ? { text: TRY_LATER, actions: ['retry'] } : OTHERWISE;
}
