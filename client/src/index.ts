/**
 * The typed client of the backend.
 *
 *   const hearth = createHearthClient();                       // in the app's own pages, by the session cookie
 *   const hearth = createHearthClient({ baseUrl, idToken });   // elsewhere, by ID tokens
 *
 *   const team = await hearth.teams.create({ name: 'Acme' });
 *   await hearth.invitations.send(team.id, 'guest@example.com', 'member');
 */
import { AccountApi } from './account.ts';
import { AdminApi } from './admin.ts';
import { BillingApi } from './billing.ts';
import { DevicesApi } from './devices.ts';
import { InvitationsApi } from './invitations.ts';
import { SubscriptionApi } from './subscription.ts';
import { TeamsApi } from './teams.ts';
import { Transport, type ClientOptions } from './transport.ts';
import { UploadsApi } from './uploads.ts';

export { HearthError } from './error.ts';
export { everyItem } from './pages.ts';
export { findPlan, hasEntitlement, limitOf, type Holder } from './plans.ts';
export type { ClientOptions } from './transport.ts';
export type { UploadOptions } from './uploads.ts';
export type {
  AddOn,
  AdminSearch,
  AdminTeam,
  AdminInvitationList,
  AdminMail,
  AdminMailKind,
  AdminMailOfAddress,
  AdminUser,
  AuditEntry,
  CancelReason,
  ChangePreview,
  ErrorCode,
  Extras,
  Invitation,
  InvitationResult,
  InvitationStatus,
  Invoice,
  ListedInvitation,
  LinkedInvitation,
  Member,
  OpenSession,
  ReceivedInvitation,
  Page,
  PageOptions,
  Plan,
  Role,
  Session,
  StoredFile,
  Visibility,
  Subscription,
  Team,
  TeamSummary,
  Upload,
  User,
  Usage,
  UserExport,
} from './types.ts';

export interface HearthClient {
  readonly account: AccountApi;
  readonly teams: TeamsApi;
  readonly invitations: InvitationsApi;
  readonly billing: BillingApi;
  readonly subscription: SubscriptionApi;
  readonly uploads: UploadsApi;
  readonly devices: DevicesApi;
  readonly admin: AdminApi;
}

/** @param options none are needed in the app's own pages, where the session cookie identifies the user */
export function createHearthClient(options: ClientOptions = {}): HearthClient {
  const transport = new Transport(options);
  return {
    account: new AccountApi(transport),
    teams: new TeamsApi(transport),
    invitations: new InvitationsApi(transport),
    billing: new BillingApi(transport),
    subscription: new SubscriptionApi(transport),
    uploads: new UploadsApi(transport),
    devices: new DevicesApi(transport),
    admin: new AdminApi(transport),
  };
}
