import { ACCOUNT_EXPORT } from '../account/export.ts';
import type { Backend } from '../backend.ts';
import type { Hooks } from './hooks.ts';
import { forgetActor, forgetAddress, forgetOfferer, forgetTarget } from '../audit/forget.service.ts';
import { AUDIT_EXPORT } from '../audit/export.ts';
import { BILLING_EXPORT } from '../billing/customers/export.ts';
import {
  forgetBillingEmail,
  forgetCheckoutsBegunBy,
  forgetCheckoutsOwnedBy,
  forgetContact,
  forgetCustomersAt,
  forgetStoreTransfers,
  forgetTrial,
} from '../billing/customers/forget.service.ts';
import { removeBilling, removeTeamBilling } from '../billing/customers/remove.service.ts';
import { removeUsage } from '../billing/usage/usage.store.ts';
import { deliverLastPlanChanges } from '../billing/notices/deliver.service.ts';
import { INVITATIONS_EXPORT } from '../invitations/export.ts';
import { forgetInvitationsBy, removeInvitationsTo } from '../invitations/forget.service.ts';
import { removeInvitations } from '../invitations/remove.service.ts';
import { withdrawInvitations } from '../invitations/withdraw.service.ts';
import { MAIL_EXPORT } from '../mail/export.ts';
import { removeMailBy, removeMailTo } from '../mail/forget.service.ts';
import { purgeDevices, removePushesBy, removePushesTo } from '../push/device.service.ts';
import { PUSH_EXPORT } from '../push/export.ts';
import { UPLOADS_EXPORT } from '../uploads/export.ts';
import { forgetSender } from '../uploads/manage/forget.service.ts';
import { removeUploadsOf } from '../uploads/manage/remove.service.ts';

/** The hooks of all features. A feature that stores personal data adds its functions here. */
export const HOOKS: Hooks<Backend> = {
  // Removing the billing can record that the plan has ended, so the changes are delivered after it.
  purgeAccount: [purgeDevices, removeUsage, removeUploadsOf, removeBilling, deliverLastPlanChanges],
  // Billing comes first, so that a deletion that is interrupted later costs nothing any more.
  purgeTeam: [removeTeamBilling, removeUsage, removeInvitations, removeUploadsOf],
  // The audit log comes last, because some of the others write entries.
  removeTraces: [
    forgetSender,
    removeMailTo,
    removeMailBy,
    removePushesTo,
    removePushesBy,
    removeInvitationsTo,
    forgetInvitationsBy,
    forgetCustomersAt,
    forgetContact,
    forgetStoreTransfers,
    forgetBillingEmail,
    forgetCheckoutsBegunBy,
    forgetCheckoutsOwnedBy,
    forgetTrial,
    forgetAddress,
    forgetActor,
    forgetTarget,
    forgetOfferer,
  ],
  endGrants: withdrawInvitations,
  exportParts: {
    ...ACCOUNT_EXPORT,
    ...INVITATIONS_EXPORT,
    ...UPLOADS_EXPORT,
    ...BILLING_EXPORT,
    ...MAIL_EXPORT,
    ...PUSH_EXPORT,
    ...AUDIT_EXPORT,
  },
};
