import { ACCOUNT_EXPORT } from '../account/export-parts.store.ts';
import { AUDIT_EXPORT } from '../audit/export-parts.store.ts';
import {
  forgetActorInAuditLog,
  forgetAddressInAuditLog,
  forgetFormerOwnerInAuditLog,
  forgetOffererInAuditLog,
  forgetTargetInAuditLog,
} from '../audit/forget.service.ts';
import type { Backend } from '../backend.ts';
import {
  forgetBillingEmail,
  forgetCheckoutsBegunBy,
  forgetCheckoutsOwnedBy,
  forgetFirstBuyer,
  forgetFormerCheckoutsBegunBy,
  forgetFormerFirstBuyer,
  forgetAddressOfCustomers,
  forgetAppStoreTransfers,
  moveTrialToAddress,
} from '../billing/customers/deletion/forget.service.ts';
import { purgeBilling, purgeTeamBilling } from '../billing/customers/deletion/purge.service.ts';
import { BILLING_EXPORT } from '../billing/customers/export-parts.store.ts';
import { deliverLastPlanChanges } from '../billing/notices/deliver-plan-change.service.ts';
import { hasRunningSubscription } from '../billing/subscriptions/subscription.store.ts';
import { purgeUsage } from '../billing/usage/usage.store.ts';
import { cancelRemainingInvitations, cancelSentInvitations } from '../invitations/cancel-sent.service.ts';
import { INVITATIONS_EXPORT } from '../invitations/export-parts.store.ts';
import { forgetInvitationsBy, forgetInvitationsTo } from '../invitations/forget.service.ts';
import { purgeInvitations } from '../invitations/purge.service.ts';
import { MAIL_EXPORT } from '../mail/export-parts.store.ts';
import { forgetMailBy, forgetMailTo } from '../mail/forget.service.ts';
import { purgeDevices, forgetPushesBy, forgetPushesTo } from '../push/device.service.ts';
import { PUSH_EXPORT } from '../push/export-parts.store.ts';
import { UPLOADS_EXPORT } from '../uploads/export-parts.store.ts';
import { forgetSenderOfUploads } from '../uploads/manage/forget.service.ts';
import { purgeUploads } from '../uploads/records/remove.service.ts';
import type { FeatureHooks } from './hooks.ts';

/** The hooks of all features. A feature that stores personal data adds its functions here. */
export const FEATURE_HOOKS: FeatureHooks<Backend> = {
  // `purgeBilling` can record a change of plan, which `deliverLastPlanChanges` then delivers.
  purgeAccount: [purgeDevices, purgeUsage, purgeUploads, purgeBilling, deliverLastPlanChanges],
  // Billing comes first: if the deletion is interrupted later, the team already pays nothing.
  purgeTeam: [purgeTeamBilling, purgeUsage, purgeInvitations, purgeUploads],
  hasRunningSubscription,
  // The audit log comes last, because some of the other functions write entries.
  forgetUser: [
    forgetSenderOfUploads,
    forgetMailTo,
    forgetMailBy,
    forgetPushesTo,
    forgetPushesBy,
    forgetInvitationsTo,
    forgetInvitationsBy,
    forgetAddressOfCustomers,
    forgetFirstBuyer,
    forgetFormerFirstBuyer,
    forgetAppStoreTransfers,
    forgetBillingEmail,
    forgetCheckoutsBegunBy,
    forgetFormerCheckoutsBegunBy,
    forgetCheckoutsOwnedBy,
    moveTrialToAddress,
    forgetAddressInAuditLog,
    forgetActorInAuditLog,
    forgetTargetInAuditLog,
    forgetOffererInAuditLog,
    forgetFormerOwnerInAuditLog,
  ],
  endGivenRights: cancelSentInvitations,
  endRemainingRights: cancelRemainingInvitations,
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
