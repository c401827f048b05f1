/**
 * Every refusal of the service: HTTP status, message for a person, and a stable code for programs.
 *
 * The key is the **name** of the refusal. The code throws it by this name, and docstrings use it after `@throws Refusal`.
 * The **code** is what a program sees in the answer. It equals the name, unless `code` names another refusal: several
 * refusals share a code if a program does the same for all of them. For example `credentials_ended` has the code
 * `unauthenticated`.
 *
 * Values in braces are filled in by `refuse`. Add a refusal here, throw it, and declare its code in the routes.
 */
export const REFUSALS = {
  // 400
  invalid_request: { status: 400, message: '{reason}' },
  invalid_signature: { status: 400, message: 'The signature is not valid.' },
  plan_is_free: { status: 400, message: 'This plan is free.' },
  comp_in_the_past: { status: 400, message: 'The end must be in the future.' },
  plan_not_for_subject: { status: 400, message: 'The plan {plan} is for {subjects} only.' },
  interval_not_offered: { status: 400, message: 'The plan {plan} is not sold for this interval.' },
  return_url_not_allowed: {
    status: 400,
    message: 'This return URL is not allowed. An operator can add it to RETURN_URLS.',
  },
  currency_not_offered: { status: 400, message: 'The plan has no price in this currency.' },
  promotion_code_invalid: {
    status: 400,
    message: 'This promotion code is not valid, or not for this purchase.',
  },
  add_on_not_offered: {
    status: 400,
    message: 'The add-on {addOn} is not sold with the plan {plan}, or not to this kind of customer.',
  },
  add_on_quantity_too_high: { status: 400, message: 'The add-on {addOn} is sold at most {max} times.' },
  slug_reserved: { status: 400, message: 'This team URL is reserved. Please choose another one.' },
  no_file: { status: 400, message: 'Send one file in the form field "file".' },
  file_name_unusable: { status: 400, code: 'no_file', message: 'The file name is not usable.' },
  malformed_form: { status: 400, message: 'The form data is malformed.' },
  empty_file: { status: 400, message: 'The file is empty.' },
  too_many_parts: { status: 400, message: 'Send exactly one file and only a few other fields.' },

  // 401
  unauthenticated: { status: 401, message: 'Sign in first.' },
  credentials_ended: {
    status: 401,
    code: 'unauthenticated',
    message: 'This sign-in has ended. Sign in again.',
  },
  credentials_invalid: {
    status: 401,
    code: 'unauthenticated',
    message: 'This sign-in is not valid. Sign in again.',
  },
  sign_in_too_old: {
    status: 401,
    code: 'unauthenticated',
    message: 'Sign in again: this sign-in is too old to start a session.',
  },
  store_token_invalid: {
    status: 401,
    code: 'unauthenticated',
    message: 'The token of the webhook is not valid.',
  },
  bearer_token_malformed: {
    status: 401,
    code: 'unauthenticated',
    message: 'The Authorization header is not a bearer token.',
  },

  // 403
  forbidden: { status: 403, message: 'Your role in the team does not allow this.' },
  role_above_own: {
    status: 403,
    code: 'forbidden',
    message: 'Your role in the team is below {role}, so you cannot change this.',
  },
  invite_above_own: { status: 403, code: 'forbidden', message: 'Only an owner may invite an {role}.' },
  replace_above_own: {
    status: 403,
    code: 'forbidden',
    message: 'Only an owner may replace the invitation of an {role}.',
  },
  anonymous_account: { status: 403, message: 'Create an account first: you are signed in anonymously.' },
  email_unverified: { status: 403, message: 'Verify your e-mail address before you {act}.' },
  recent_sign_in_required: { status: 403, message: 'Sign in again first: this needs a recent sign-in.' },
  foreign_origin: { status: 403, message: 'This request must come from our own site.' },
  not_a_navigation: { status: 403, message: 'Open this link in a browser tab.' },
  prefetch: { status: 403, message: 'This URL is not for prefetching.' },
  app_check_required: { status: 403, message: 'Send an App Check token in {header}.' },
  app_check_failed: { status: 403, message: 'The App Check token is not valid.' },
  impersonation_not_allowed: {
    status: 403,
    message: 'This is not possible while you see the service as another user.',
  },
  admin_not_impersonated: { status: 403, message: 'Operators cannot be impersonated.' },
  not_recipient: { status: 403, message: 'This invitation is for another e-mail address.' },
  no_seat: { status: 403, message: 'All seats of the team are taken or reserved.' },
  team_limit: { status: 403, message: 'You already own {limit} teams, which is the maximum.' },
  plan_required: { status: 403, message: 'This needs the plan {plan}.' },
  entitlement_required: { status: 403, message: 'This needs a plan that includes {entitlement}.' },
  meter_closed_to_clients: { status: 403, message: 'Clients may not report usage of this meter.' },
  credits_too_low: { status: 403, message: 'There are not enough credits.' },
  quota_exceeded: { status: 403, message: 'Your plan has {bytes} bytes of storage, and they are full.' },

  // 404
  not_found: { status: 404, message: 'There is nothing at this URL.' },
  user_not_found: { status: 404, message: 'There is no such user.' },
  comp_not_found: { status: 404, message: 'There is no comped plan.' },
  team_not_found: { status: 404, message: 'There is no such team.' },
  member_not_found: { status: 404, message: 'This person is not in the team.' },
  transfer_not_found: { status: 404, message: 'There is no such offer.' },
  invitation_not_found: { status: 404, message: 'This invitation does not exist.' },
  session_not_found: { status: 404, message: 'You have no such session.' },
  plan_not_found: { status: 404, message: 'There is no such plan.' },
  subscription_not_found: { status: 404, message: 'There is no subscription to a plan.' },
  add_on_not_found: { status: 404, message: 'There is no such add-on.' },
  item_not_found: { status: 404, message: 'There is no plan or credit pack with this name.' },
  meter_not_found: { status: 404, message: 'There is no such meter.' },
  checkout_not_found: { status: 404, message: 'There is no such checkout.' },
  upload_not_found: { status: 404, message: 'There is no such upload.' },
  mail_not_found: { status: 404, message: 'There is no such mail.' },
  unknown_link: { status: 404, message: 'This link is not valid any more.' },

  // 405
  method_not_allowed: { status: 405, message: 'This URL answers {allowed} only.' },

  // 409
  invitation_is_link: {
    status: 409,
    message: 'This invitation is a link and has no address. Withdraw it and make another link.',
  },
  slug_taken: { status: 409, message: 'This team URL is already taken.' },
  subscription_running: {
    status: 409,
    message:
      'Deleting the team ends its subscription at once, without a refund. Confirm this with endSubscription=true.',
  },
  consent_required: { status: 409, message: 'Ownership needs consent. Offer it to the member.' },
  last_owner: { status: 409, message: 'A team needs at least one owner.' },
  last_owner_of: {
    status: 409,
    code: 'last_owner',
    message:
      'You are the last owner of {teams}. Make somebody else an owner, or delete the team, which ends its subscription.',
  },
  already_owner: { status: 409, message: 'You already own this team.' },
  member_is_owner: { status: 409, code: 'already_owner', message: 'This member is already an owner.' },
  transfer_pending: { status: 409, message: 'Withdraw the open offer first.' },
  already_member: { status: 409, message: 'You are already a member of this team.' },
  invitee_is_member: {
    status: 409,
    code: 'already_member',
    message: 'This person is already a member of the team.',
  },
  duplicate_email: { status: 409, message: '{email} is already in the list.' },
  already_accepted: { status: 409, message: 'This invitation has already been accepted.' },
  already_rejected: { status: 409, message: 'This invitation has already been rejected.' },
  already_owned: { status: 409, message: 'This plan was already bought with a one-time payment.' },
  covered_by_owned: {
    status: 409,
    code: 'already_owned',
    message: 'A higher plan was already bought with a one-time payment.',
  },
  key_reused: { status: 409, message: 'This key was used for something else.' },
  checkout_superseded: { status: 409, message: 'Another checkout was started in the meantime.' },
  price_not_available: { status: 409, message: 'The plan {plan} cannot be bought at the moment.' },
  customer_closed: { status: 409, message: 'This account or team is being deleted.' },
  subscription_ending: { status: 409, message: 'This subscription is cancelled. Resume it first.' },
  invoice_unpaid: { status: 409, message: 'Pay the open invoice of this subscription first.' },
  plan_change_planned: {
    status: 409,
    message: 'A change of plan is already planned. Cancel it first, or wait until it happens.',
  },
  not_stored: { status: 409, message: 'The file is not stored.' },
  email_missing: { status: 409, message: 'This account has no e-mail address.' },
  mail_not_possible: { status: 409, message: 'This mail cannot be sent: {reason}.' },

  // 410
  invitation_cancelled: { status: 410, message: 'This invitation has been withdrawn.' },
  invitation_expired: { status: 410, message: 'This invitation has expired.' },
  transfer_expired: { status: 410, message: 'This offer has expired.' },
  transfer_withdrawn: { status: 410, message: 'This offer was withdrawn.' },

  // 413, 415
  payload_too_large: { status: 413, message: '{reason}' },
  unsupported_media_type: { status: 415, message: '{reason}' },

  // 429
  too_many_requests: { status: 429, message: 'Too many requests. Please wait a little.' },
  resend_too_soon: {
    status: 429,
    message: 'This address was mailed a short while ago. It can be mailed again in {minutes} minutes.',
  },
  recipient_limit: {
    status: 429,
    message: 'This address has received the maximum of mails for one day. Try again tomorrow.',
  },

  // 500
  internal: { status: 500, message: 'Something went wrong on our side. Please try again later.' },
  document_damaged: {
    status: 500,
    message: 'Some of this data is damaged. Please contact support.',
  },

  // 503: the same request may succeed later
  busy: { status: 503, message: 'This is busy right now. Please try again.' },
  auth_unavailable: { status: 503, message: 'Sign-in is not available right now.' },
  app_check_unavailable: { status: 503, message: 'App Check is not available right now.' },
  billing_unavailable: {
    status: 503,
    message: 'Billing is not available right now. Please try again later.',
  },
  storage_unavailable: { status: 503, message: 'The file storage does not answer. Please try again.' },
} as const satisfies Readonly<Record<string, Entry>>;

interface Entry {
  status: number;
  message: string;
  /** The stable code, where it differs from the key. */
  code?: string;
}

type Catalogue = typeof REFUSALS;

/** Names a refusal in the code. */
export type RefusalName = keyof Catalogue;

/** Stable code of a refusal in answers. */
export type RefusalCode = {
  [Name in RefusalName]: Catalogue[Name] extends { code: infer Code } ? Code & RefusalName : Name;
}[RefusalName];

/** The names in braces of a message. */
type Placeholders<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Values<Name extends RefusalName> = Readonly<
  Record<Placeholders<Catalogue[Name]['message']>, string | number>
>;

export interface RefusalOptions extends ErrorOptions {
  /** Seconds until the same request may succeed. */
  retryAfter?: number;
  /** The problem of each wrong field, by the name of the field. */
  fields?: Readonly<Record<string, string>>;
}

/** Wait after a refusal that passes on its own. */
const DEFAULT_RETRY_SECONDS = 5;

/**
 * A request or task that the service does not fulfill, for a reason that the caller may know. Every other error is a fault
 * of the service and is answered with 500 and no detail.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** HTTP status, for the renderer of errors. */
  readonly status: number;
  /** Seconds until the same request may succeed; undefined where waiting does not help. */
  readonly retryAfter: number | undefined;
  readonly values: Readonly<Record<string, string | number>>;
  readonly fields: Readonly<Record<string, string>> | undefined;

  constructor(name: RefusalName, values: Readonly<Record<string, string | number>>, options: RefusalOptions) {
    const entry: Entry = REFUSALS[name];
    super(fill(entry.message, values), options);
    this.name = 'Refusal';
    this.code = codeOf(name);
    this.status = entry.status;
    this.values = values;
    this.fields = options.fields;
    const waits = entry.status === 429 || entry.status === 503;
    this.retryAfter = options.retryAfter ?? (waits ? DEFAULT_RETRY_SECONDS : undefined);
  }

  /** True for status 500 and above: the service has failed, and not the caller. */
  get isServerError(): boolean {
    return this.status >= 500;
  }
}

/**
 * Makes a refusal, to be thrown or returned.
 *
 * @param rest the values of the message, if it has any, then options
 * @example throw refuse('team_not_found');
 * @example throw refuse('team_limit', { limit: 20 });
 * @example throw refuse('busy', {}, { cause: error });
 */
export function refuse<Name extends RefusalName>(
  name: Name,
  ...rest: Placeholders<Catalogue[Name]['message']> extends never
    ? [values?: Readonly<Record<string, never>>, options?: RefusalOptions]
    : [values: Values<Name>, options?: RefusalOptions]
): Refusal {
  const [values, options] = rest as [Refusal['values']?, RefusalOptions?];
  return new Refusal(name, values ?? {}, options ?? {});
}

/** True for a refusal with one of these codes. */
export function isRefusal(error: unknown, ...codes: readonly RefusalCode[]): error is Refusal {
  return error instanceof Refusal && (codes.length === 0 || codes.includes(error.code));
}

export function codeOf(name: RefusalName): RefusalCode {
  const entry: Entry = REFUSALS[name];
  return (entry.code ?? name) as RefusalCode;
}

/** Status of all refusals with a code. */
export function statusOf(code: RefusalCode): number {
  return REFUSALS[code].status;
}

function fill(message: string, values: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name]));
}
