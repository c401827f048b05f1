import { ACCOUNT_OPERATIONS } from '../account/account.openapi.ts';
import { BILLING_OPERATIONS } from '../billing/billing.openapi.ts';
import { INVITATION_OPERATIONS } from '../invitations/invitation.openapi.ts';
import { MAIL_OPERATIONS } from '../mail/mail.openapi.ts';
import { TEAM_OPERATIONS } from '../teams/team.openapi.ts';
import { UPLOAD_OPERATIONS } from '../uploads/upload.openapi.ts';
import type { Operation } from './operation.ts';
import { SERVICE_OPERATIONS } from './service.openapi.ts';

/** Every route of app.ts; a test compares the two. */
export const OPERATIONS: readonly Operation[] = [
  ...SERVICE_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...BILLING_OPERATIONS,
  ...TEAM_OPERATIONS,
  ...INVITATION_OPERATIONS,
  ...MAIL_OPERATIONS,
  ...UPLOAD_OPERATIONS,
];
