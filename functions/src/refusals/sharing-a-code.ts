/**
 * Refusals that share the code of another refusal, each with a message of its own. Example: `credentials_ended` has the
 * code `unauthenticated`, because a program handles both refusals in the same way. The message says more to a person.
 */
export const REFUSALS_SHARING_A_CODE = {
  url_malformed: { code: 'invalid_request', message: 'The URL is malformed.' },
  body_incomplete: { code: 'invalid_request', message: 'The body ended early.' },
  body_not_json: { code: 'invalid_request', message: 'The body is not valid JSON.' },
  email_invalid: { code: 'invalid_request', message: 'This is not an e-mail address.' },
  list_above_limit: { code: 'invalid_request', message: 'Send at most {max} addresses at the same time.' },
  picture_url_invalid: { code: 'invalid_request', message: 'This is not the URL of a picture.' },
  plan_quantity_invalid: { code: 'invalid_request', message: 'You can buy a plan only once.' },
  invoice_page_not_found: {
    code: 'invalid_request',
    message: 'This page of invoices does not exist. Start from the first page.',
  },
  price_not_on_sale: { code: 'invalid_request', message: 'The price {priceId} is not on sale.' },
  price_missing: { code: 'invalid_request', message: 'The field price must be the id of a price.' },
  subscription_quantity_invalid: {
    code: 'invalid_request',
    message: 'The field quantity must be 1 for a subscription. Teams are billed for their members.',
  },
  page_url_not_own: {
    code: 'invalid_request',
    message: '{field} must be a URL of this app, such as {example}.',
  },

  plan_for_teams_only: { code: 'plan_not_for_subject', message: '{name} is for teams only.' },
  plan_for_users_only: { code: 'plan_not_for_subject', message: '{name} is for users only.' },

  debit_under_way: {
    code: 'invoice_unpaid',
    message: 'A payment from your bank account is still under way. Try again in a few days.',
  },

  schedule_of_support: {
    code: 'plan_change_planned',
    message: 'Support has planned changes of this subscription. Ask support to change it.',
  },

  price_not_plannable: {
    code: 'change_not_plannable',
    message:
      'A price or a discount of your subscription is no longer offered, so a change cannot be planned. Change now instead.',
  },
  usage_not_plannable: {
    code: 'change_not_plannable',
    message:
      'Your subscription bills usage, so a change to another price of the usage cannot be planned. Change now instead.',
  },

  plan_not_recurring: {
    code: 'interval_not_offered',
    message: 'The plan {plan} is not sold as a subscription.',
  },
  plan_not_paid_monthly: { code: 'interval_not_offered', message: 'The plan {plan} cannot be paid monthly.' },
  plan_not_paid_yearly: { code: 'interval_not_offered', message: 'The plan {plan} cannot be paid yearly.' },
  plan_not_paid_once: {
    code: 'interval_not_offered',
    message: 'The plan {plan} cannot be bought by a one-time payment.',
  },
  add_on_interval_not_offered: {
    code: 'interval_not_offered',
    message: 'The add-on {addOn} is not sold for the interval of your subscription.',
  },

  currency_in_use: {
    code: 'currency_not_offered',
    message: 'Only {currency} is possible, because there is already a subscription or an invoice in it.',
  },

  add_on_for_teams_only: { code: 'add_on_not_offered', message: 'The add-on {addOn} is for teams only.' },
  add_on_for_users_only: { code: 'add_on_not_offered', message: 'The add-on {addOn} is for users only.' },

  file_name_unusable: { code: 'no_file', message: 'The file name is not usable.' },

  credentials_ended: { code: 'unauthenticated', message: 'This sign-in has ended. Sign in again.' },
  credentials_invalid: { code: 'unauthenticated', message: 'This sign-in is not valid. Sign in again.' },
  sign_in_too_old: {
    code: 'unauthenticated',
    message: 'Sign in again: this sign-in is too old to start a session.',
  },
  store_token_invalid: { code: 'unauthenticated', message: 'The token of the webhook is not valid.' },
  bearer_token_malformed: {
    code: 'unauthenticated',
    message: 'The Authorization header is not a bearer token.',
  },

  role_above_own: {
    code: 'forbidden',
    message: 'Your role in the team is below {role}, so you cannot change this.',
  },
  invite_above_own: { code: 'forbidden', message: 'Only an owner may invite an {role}.' },
  replace_above_own: { code: 'forbidden', message: 'Only an owner may replace the invitation of an {role}.' },

  sender_unverified: {
    code: 'email_unverified',
    message: 'Verify your e-mail address before you invite others.',
  },
  reply_unverified: {
    code: 'email_unverified',
    message: 'Verify your e-mail address before you reply to an invitation.',
  },
  recipient_unverified: {
    code: 'email_unverified',
    message: 'Verify your e-mail address to see your invitations.',
  },
  new_owner_unverified: {
    code: 'email_unverified',
    message: 'Verify your e-mail address before you become an owner.',
  },
  uploader_unverified: {
    code: 'email_unverified',
    message: 'Verify your e-mail address before you upload files.',
  },

  team_quota_exceeded: {
    code: 'quota_exceeded',
    message: 'The storage of this team, {size}, is full. Delete files or choose a larger plan.',
  },

  shared_link_closed: { code: 'unknown_link', message: 'This invitation link is not valid any more.' },

  user_has_no_subscription: { code: 'subscription_not_found', message: 'You have no subscription.' },
  team_has_no_subscription: { code: 'subscription_not_found', message: 'This team has no subscription.' },

  last_owner_of: {
    code: 'last_owner',
    message:
      'You are the last owner of {teams}. Make somebody else an owner, or delete the team, which ends its subscription.',
  },
  user_is_last_owner_of: {
    code: 'last_owner',
    message:
      'This user is the last owner of {teams}. The teams need another owner first, or must be deleted.',
  },

  member_is_owner: { code: 'already_owner', message: 'This member is already an owner.' },

  recipient_is_member: { code: 'already_member', message: 'This person is already a member of the team.' },

  covered_by_owned: {
    code: 'already_owned',
    message: 'You already own a higher plan, which includes this one.',
  },
  team_already_owns: { code: 'already_owned', message: 'This team already owns this plan.' },
  team_covered_by_owned: {
    code: 'already_owned',
    message: 'This team already owns a higher plan, which includes this one.',
  },

  mail_to_disabled: {
    code: 'mail_not_possible',
    message: 'This mail cannot be sent: the account is disabled.',
  },
  mail_to_verified: {
    code: 'mail_not_possible',
    message: 'This mail cannot be sent: the address is already verified.',
  },
  mail_to_unverified: {
    code: 'mail_not_possible',
    message: 'This mail cannot be sent: the address is not verified.',
  },
  mail_turned_off: { code: 'mail_not_possible', message: 'This mail cannot be sent: {setting} is off.' },
  mail_unwanted: {
    code: 'mail_not_possible',
    message: 'This mail cannot be sent: the recipient has stopped such mail.',
  },

  file_too_large: {
    code: 'payload_too_large',
    message: 'This file is larger than {size}, which is the maximum.',
  },
  file_too_large_for_kind: {
    code: 'payload_too_large',
    message: 'A .{extension} file may have at most {size}.',
  },
  file_too_large_for_plan: {
    code: 'payload_too_large',
    message: 'This file is larger than {size}, which is the maximum of the plan.',
  },

  file_type_mismatch: {
    code: 'unsupported_media_type',
    message: 'The declared type of this file does not match its extension .{extension}.',
  },
  file_content_mismatch: {
    code: 'unsupported_media_type',
    message: 'The content of this file does not match its extension .{extension}.',
  },
  file_encoded: {
    code: 'unsupported_media_type',
    message: 'A file with a content encoding is not accepted.',
  },
  body_encoded: { code: 'unsupported_media_type', message: 'Send the body without a content encoding.' },
  body_type_not_json: { code: 'unsupported_media_type', message: 'Send the body as application/json.' },
  body_type_not_form: { code: 'unsupported_media_type', message: 'Send the file as multipart/form-data.' },

  rate_limit_reached: {
    code: 'too_many_requests',
    message: 'You have sent too many requests. Try again in {wait}.',
  },

  database_unavailable: {
    code: 'busy',
    message: 'Our database does not answer right now. Please try again in a few seconds.',
  },
  outcome_unknown: {
    code: 'busy',
    message: 'Our database did not answer. Your change may have been saved: check this before you try again.',
  },
} as const satisfies Readonly<Record<string, { code: string; message: string }>>;
