import type { Refusal, RefusalName } from '../../refusals/refusals.ts';
import type { AdviceName, ErrorAction } from '../texts/words.ts';

export interface Advice {
  text: AdviceName;
  actions: readonly ErrorAction[];
}

const ASK_SENDER = { text: 'askSender', actions: ['ask-sender'] } as const;
const CHOOSE_PLAN = { text: 'choosePlan', actions: [] } as const;
const CONTACT_SUPPORT = { text: 'contactSupport', actions: [] } as const;

/** The advice by the name or the code of a refusal. */
const ADVICE: Readonly<Partial<Record<RefusalName, Advice>>> = {
  // Invitations
  not_recipient: { text: 'otherAddress', actions: ['switch-account'] },
  email_unverified: { text: 'verify', actions: ['verify'] },
  // The form of the action `ask-sender` would not find this invitation.
  invitation_not_found: { text: 'askSender', actions: [] },
  // The form of the action `ask-sender` is for mailed links.
  shared_link_closed: { text: 'askSender', actions: [] },
  invitation_expired: ASK_SENDER,
  invitation_cancelled: ASK_SENDER,
  already_rejected: ASK_SENDER,
  already_accepted: { text: 'onDashboard', actions: [] },
  already_member: { text: 'onDashboard', actions: [] },
  no_seat: { text: 'moreSeats', actions: ['retry'] },
  team_not_found: { text: 'teamGone', actions: [] },
  invalid_request: { text: 'openAgain', actions: [] },
  // Billing
  other_site: { text: 'confirm', actions: ['continue'] },
  forbidden: { text: 'roleTooLow', actions: ['switch-account'] },
  anonymous_account: { text: 'signUp', actions: ['switch-account'] },
  checkout_not_found: { text: 'otherAccount', actions: ['switch-account'] },
  plan_not_found: CHOOSE_PLAN,
  plan_is_free: CHOOSE_PLAN,
  plan_not_for_subject: CHOOSE_PLAN,
  interval_not_offered: CHOOSE_PLAN,
  currency_not_offered: CHOOSE_PLAN,
  price_not_available: CHOOSE_PLAN,
  already_owned: { text: 'nothingToPay', actions: [] },
  payment_processing: { text: 'awaitPayment', actions: [] },
  promotion_code_invalid: { text: 'checkCode', actions: [] },
  checkout_superseded: { text: 'otherCheckout', actions: ['retry'] },
  impersonation_not_allowed: { text: 'stopImpersonation', actions: [] },
  document_damaged: CONTACT_SUPPORT,
};

export function adviceOn({ refusalName, code, kind, retryAfter }: Refusal): Advice {
  const known = ADVICE[refusalName] ?? ADVICE[code];
  if (known !== undefined) return known;
  // A fault may have been repaired by the next attempt.
  const isWorthRetrying = kind !== 'caller' || retryAfter !== undefined;
  return isWorthRetrying ? { text: 'tryLater', actions: ['retry'] } : CONTACT_SUPPORT;
}
