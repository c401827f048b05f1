import { ADMIN_MUTATIONS } from './admin.ts';
import { BILLING_CUSTOMER_MUTATIONS } from './billing-customers.ts';
import { BILLING_OVERLAP_MUTATIONS } from './billing-overlap.ts';
import { BILLING_PURCHASES_MUTATIONS } from './billing-purchases.ts';
import { BILLING_REQUEST_MUTATIONS } from './billing-requests.ts';
import { BILLING_USAGE_MUTATIONS } from './billing-usage.ts';
import { BILLING_MUTATIONS } from './billing.ts';
import { CALLER_MUTATIONS } from './callers.ts';
import { CLIENT_MUTATIONS } from './clients.ts';
import { DATA_MUTATIONS } from './data.ts';
import { HTTP_MUTATIONS } from './http.ts';
import { LOCAL_STACK_MUTATIONS } from './local-stack.ts';
import { LOG_MUTATIONS } from './log.ts';
import { MAIL_MUTATIONS } from './mail.ts';
import type { Mutation } from './mutation.ts';
import { PUSH_MUTATIONS } from './push.ts';
import { SETUP_MUTATIONS } from './setup.ts';
import { STRIPE_CHANGE_MUTATIONS } from './stripe-changes.ts';
import { STRIPE_EXTENSION_MUTATIONS } from './stripe-extension.ts';
import { STRIPE_MUTATIONS } from './stripe.ts';
import { SUBSCRIPTION_CHANGE_MUTATIONS } from './subscription-changes.ts';
import { SUBSCRIPTION_MUTATIONS } from './subscriptions.ts';
import { TEAM_MUTATIONS } from './teams.ts';
import { UPLOAD_MUTATIONS } from './uploads.ts';

export const MUTATIONS: readonly Mutation[] = [
  ...ADMIN_MUTATIONS,
  ...HTTP_MUTATIONS,
  ...CALLER_MUTATIONS,
  ...TEAM_MUTATIONS,
  ...MAIL_MUTATIONS,
  ...BILLING_MUTATIONS,
  ...BILLING_OVERLAP_MUTATIONS,
  ...BILLING_PURCHASES_MUTATIONS,
  ...BILLING_REQUEST_MUTATIONS,
  ...BILLING_USAGE_MUTATIONS,
  ...SUBSCRIPTION_MUTATIONS,
  ...SUBSCRIPTION_CHANGE_MUTATIONS,
  ...BILLING_CUSTOMER_MUTATIONS,
  ...STRIPE_EXTENSION_MUTATIONS,
  ...UPLOAD_MUTATIONS,
  ...DATA_MUTATIONS,
  ...STRIPE_MUTATIONS,
  ...PUSH_MUTATIONS,
  ...STRIPE_CHANGE_MUTATIONS,
  ...LOCAL_STACK_MUTATIONS,
  ...SETUP_MUTATIONS,
  ...LOG_MUTATIONS,
  ...CLIENT_MUTATIONS,
];
