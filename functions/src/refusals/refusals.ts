import { fillMessage, type MessageValues } from '@hearth/shared/message';
import { REFUSALS_SHARING_A_CODE } from './sharing-a-code.ts';

/**
 * Every code of the API, with its HTTP status and the message for a person. Programs use the code, and it never
 * changes.
 *
 * A refusal is thrown by its **name**. Each code is a name. `refusals/sharing-a-code.ts` has further names: refusals
 * that share a code and have a message of their own.
 *
 * **Docstrings** may have a list after `@throws Refusal`, or after `@returns` if the function returns a refusal. If
 * there is no list, the function may still throw refusals. A list is complete for refusals of the kind `caller`. Items
 * of a list:
 * - "`credentials_ended`" is the name of a refusal, which the function or a function that it calls throws.
 * - "as `authorize`": the function calls `authorize`, and may throw everything in the list of `authorize`.
 * - "as its route declares" stands for the codes in the declaration of the route.
 * - "`busy` while another sync runs" is an outage. Outages are listed only if there is something to say about them.
 *
 * `refusal` fills in the **values** in braces: names and numbers. Words of a sentence are never values, so that every
 * message can be translated. `{size}` is in bytes and `{wait}` in seconds. A message shows "500 MB" and "5 minutes".
 * `{reason}` of `invalid_request` is an exception: the problems that a schema found, in English.
 *
 * To add a code, also add its German message to `shared/src/german-refusals.ts`, and declare it in the routes.
 */
const CODES = {
  // 400
  invalid_request: { status: 400, message: '{reason}' },
  invalid_signature: { status: 400, message: 'The signature is not valid.' },
  plan_is_free: { status: 400, message: 'This plan is free.' },
  comp_in_the_past: { status: 400, message: 'The end must be in the future.' },
  plan_not_for_subject: { status: 400, message: 'This plan is for another kind of customer.' },
  interval_not_offered: { status: 400, message: 'This cannot be paid for in this interval.' },
  return_url_not_allowed: {
    status: 400,
    message: 'This return URL is not allowed. An operator can add it to RETURN_URLS.',
  },
  currency_not_offered: { status: 400, message: 'The plan has no price in this currency.' },
  promotion_code_invalid: {
    status: 400,
    message: 'This promotion code is not valid, or not for this purchase.',
  },
  add_on_not_offered: { status: 400, message: 'The add-on {addOn} is not available with the plan {plan}.' },
  add_on_quantity_too_high: { status: 400, message: 'You can have at most {max} of the add-on {addOn}.' },
  slug_reserved: { status: 400, message: 'This team URL is reserved. Please choose another one.' },
  no_file: { status: 400, message: 'Send one file in the form field "file".' },
  malformed_form: { status: 400, message: 'The form data is malformed.' },
  empty_file: { status: 400, message: 'The file is empty.' },
  too_many_parts: { status: 400, message: 'Send exactly one file and only a few other fields.' },

  // 401
  unauthenticated: { status: 401, message: 'Sign in first.' },

  // 403
  forbidden: { status: 403, message: 'Your role in the team does not allow this.' },
  anonymous_account: { status: 403, message: 'Create an account first: you are signed in anonymously.' },
  email_unverified: { status: 403, message: 'Verify your e-mail address first.' },
  recent_sign_in_required: { status: 403, message: 'Sign in again first: this needs a recent sign-in.' },
  foreign_origin: { status: 403, message: 'This request must come from our own site.' },
  not_a_navigation: { status: 403, message: 'Open this link in a browser tab.' },
  prefetch: { status: 403, message: 'This URL is not for prefetching.' },
  other_site: { status: 403, message: 'Another site has sent you here.' },
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
  plan_required: { status: 403, message: 'You need the plan {plan} or a higher one for this.' },
  entitlement_required: { status: 403, message: 'Your plan does not include this ({entitlement}).' },
  meter_closed_to_clients: { status: 403, message: 'Clients may not report usage of this meter.' },
  credits_too_low: { status: 403, message: 'There are not enough credits left for this.' },
  quota_exceeded: {
    status: 403,
    message: 'Your storage of {size} is full. Delete files or choose a larger plan.',
  },

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
  subscription_not_found: { status: 404, message: 'There is no such subscription.' },
  add_on_not_found: { status: 404, message: 'There is no such add-on.' },
  item_not_found: { status: 404, message: 'There is no plan or credit pack with this name.' },
  meter_not_found: { status: 404, message: 'There is no such meter.' },
  checkout_not_found: { status: 404, message: 'There is no such checkout.' },
  upload_not_found: { status: 404, message: 'There is no such upload.' },
  mail_not_found: { status: 404, message: 'There is no such mail.' },
  unknown_link: { status: 404, message: 'This link is not valid any more.' },

  // 405
  method_not_allowed: { status: 405, message: 'This URL accepts {allowed} only.' },

  // 409
  invitation_is_link: {
    status: 409,
    message:
      'This invitation has no e-mail address, so it cannot be mailed. Cancel it and create a new link.',
  },
  slug_taken: { status: 409, message: 'This team URL is already taken.' },
  subscription_running: {
    status: 409,
    message:
      'Deleting the team ends its subscription at once, without a refund. Confirm this with endSubscription=true.',
  },
  consent_required: { status: 409, message: 'Ownership needs consent. Offer it to the member.' },
  last_owner: {
    status: 409,
    message: 'You are the last owner of this team. Make somebody else an owner first.',
  },
  already_owner: { status: 409, message: 'You already own this team.' },
  transfer_pending: { status: 409, message: 'Withdraw the open offer first.' },
  already_member: { status: 409, message: 'You are already a member of this team.' },
  email_differs: { status: 409, message: 'The account has another e-mail address.' },
  duplicate_email: { status: 409, message: '{email} is already in the list.' },
  already_accepted: { status: 409, message: 'This invitation has already been accepted.' },
  already_rejected: { status: 409, message: 'This invitation has already been rejected.' },
  already_owned: { status: 409, message: 'You already own this plan.' },
  payment_processing: {
    status: 409,
    message: 'A payment for this plan, or for a higher one, is still being processed.',
  },
  key_reused: {
    status: 409,
    message: 'This key was already used for a different amount or meter. Use a new key.',
  },
  checkout_superseded: { status: 409, message: 'Another checkout was started in the meantime.' },
  price_not_available: { status: 409, message: '{name} cannot be bought at the moment.' },
  customer_closed: { status: 409, message: 'This account or team is being deleted.' },
  subscription_ending: { status: 409, message: 'This subscription is cancelled. Resume it first.' },
  payment_failed: {
    status: 402,
    message: 'The payment failed, so nothing was changed. Change the payment method, and try again.',
  },
  invoice_unpaid: { status: 409, message: 'Pay the open invoice of this subscription first.' },
  plan_change_planned: {
    status: 409,
    message: 'A change of plan is already planned. Cancel it first, or wait until it happens.',
  },
  change_not_plannable: {
    status: 409,
    message: 'This change cannot be planned for the end of the period. Change now instead.',
  },
  preview_expired: {
    status: 409,
    message: 'The preview of this change has expired. Check a new preview first.',
  },
  not_stored: { status: 409, message: 'This file is not stored yet, or it was refused.' },
  email_missing: { status: 409, message: 'This account has no e-mail address.' },
  session_too_large: {
    status: 409,
    message: 'Your account has too much data for a session. Please contact support.',
  },
  mail_not_possible: {
    status: 409,
    message: 'This mail cannot be sent: the account cannot use the link in it.',
  },

  // 410
  invitation_cancelled: { status: 410, message: 'This invitation was cancelled.' },
  invitation_expired: { status: 410, message: 'This invitation has expired.' },
  transfer_expired: { status: 410, message: 'This offer has expired.' },
  transfer_withdrawn: { status: 410, message: 'This offer was withdrawn.' },

  // 413, 415
  payload_too_large: { status: 413, message: 'This request is larger than {size}, which is the maximum.' },
  unsupported_media_type: {
    status: 415,
    message: 'This type of file is not accepted. Accepted: {extensions}.',
  },

  // 429
  too_many_requests: { status: 429, message: 'You have sent too many requests. Please wait a little.' },
  resend_too_soon: {
    status: 429,
    message: 'We mailed this address recently. You can mail it again in {wait}.',
  },
  recipient_limit: {
    status: 429,
    message: 'This address has received the maximum of mails for one day. Try again in {wait}.',
  },

  // 500
  internal: { status: 500, message: 'Something went wrong on our side. Please try again later.' },
  document_damaged: { status: 500, message: 'Some of this data is damaged. Please contact support.' },

  // 503
  busy: { status: 503, message: 'This is being changed right now. Please try again in a few seconds.' },
  auth_unavailable: { status: 503, message: 'Sign-in is not available right now.' },
  app_check_unavailable: { status: 503, message: 'App Check is not available right now.' },
  billing_unavailable: {
    status: 503,
    message: 'Billing is not available right now. Please try again later.',
  },
  storage_unavailable: { status: 503, message: 'The file storage does not answer. Please try again.' },
} as const satisfies Readonly<Record<string, { status: number; message: string }>>;

/** Every refusal by its name. A refusal has a message, and either a status or the code of another refusal. */
export const REFUSALS = { ...CODES, ...REFUSALS_SHARING_A_CODE };

type Catalogue = typeof REFUSALS;

export type RefusalName = keyof Catalogue;

export type RefusalCode = keyof typeof CODES;

type Placeholders<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type ValueOf<Placeholder> = Placeholder extends 'size' | 'wait' ? number : string | number;

type Values<Name extends RefusalName> = {
  readonly [Placeholder in Placeholders<Catalogue[Name]['message']>]: ValueOf<Placeholder>;
};

export interface RefusalOptions extends ErrorOptions {
  /** Seconds until the same request may succeed. By default the value `wait` of the message. */
  retryAfter?: number;
  /** The problem of each wrong field, by the name of the field. */
  fields?: Readonly<Record<string, string>>;
}

/** Seconds to wait after a 429 or 503 that names no time. */
const DEFAULT_RETRY_SECONDS = 5;

/**
 * - `caller`: the caller's error. Another request may succeed.
 * - `fault`: an operator must repair something.
 * - `outage`: ends by itself.
 */
export type RefusalKind = 'caller' | 'fault' | 'outage';

/** An error whose code and message the caller may see. Most other errors get 500 and no detail. */
export class Refusal extends Error {
  readonly refusalName: RefusalName;
  readonly code: RefusalCode;
  readonly kind: RefusalKind;
  /** HTTP status, only for sending the answer. Every other decision uses `kind` or `code`. */
  readonly status: number;
  /** Seconds until the same request may succeed; undefined if unknown. */
  readonly retryAfter: number | undefined;
  readonly values: MessageValues;
  readonly fields: Readonly<Record<string, string>> | undefined;

  constructor(name: RefusalName, values: MessageValues, options: RefusalOptions) {
    super(fillMessage(REFUSALS[name].message, values, 'en-US'), options);
    this.name = 'Refusal';
    this.refusalName = name;
    this.code = codeOf(name);
    this.status = statusOf(this.code);
    this.kind = kindOf(this.status);
    this.values = values;
    this.fields = options.fields;
    const waits = this.status === 429 || this.status === 503;
    this.retryAfter = options.retryAfter ?? waitOf(values) ?? (waits ? DEFAULT_RETRY_SECONDS : undefined);
  }
}

export function kindOf(status: number): RefusalKind {
  if (status < 500) return 'caller';
  return status === 503 ? 'outage' : 'fault';
}

function waitOf({ wait }: MessageValues): number | undefined {
  return typeof wait === 'number' ? wait : undefined;
}

/**
 * Makes a refusal, to be thrown or returned.
 *
 * @param rest the values of the message, then options. For a message without values, leave out both, or pass `{}`
 *   before the options
 * @example throw refusal('team_not_found');
 * @example throw refusal('team_limit', { limit: 20 });
 * @example throw refusal('busy', {}, { cause: error });
 */
export function refusal<Name extends RefusalName>(
  name: Name,
  ...rest: Placeholders<Catalogue[Name]['message']> extends never
    ? [values?: Readonly<Record<string, never>>, options?: RefusalOptions]
    : [values: Values<Name>, options?: RefusalOptions]
): Refusal {
  const [values, options] = rest as [Refusal['values']?, RefusalOptions?];
  return new Refusal(name, values ?? {}, options ?? {});
}

export function hasRefusalCode(
  error: unknown,
  ...codes: readonly [RefusalCode, ...RefusalCode[]]
): error is Refusal {
  return error instanceof Refusal && codes.includes(error.code);
}

export function codeOf(name: RefusalName): RefusalCode {
  return sharesCode(name) ? REFUSALS_SHARING_A_CODE[name].code : name;
}

function sharesCode(name: RefusalName): name is keyof typeof REFUSALS_SHARING_A_CODE {
  return name in REFUSALS_SHARING_A_CODE;
}

export function statusOf(code: RefusalCode): number {
  return CODES[code].status;
}
