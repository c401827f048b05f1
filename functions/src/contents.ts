import type { Contents } from './account/delete.service.ts';
import { removeTeamBilling } from './billing/remove.service.ts';
import { removeInvitations } from './invitations/remove.service.ts';
import { withdrawInvitations } from './invitations/withdraw.service.ts';
import { removeUploadsOf } from './uploads/remove.service.ts';

/** What goes with an account, a team or a member's rights: features that keep something for them enter themselves here. */
export const CONTENTS: Contents = {
  ofAccount: [removeUploadsOf],
  ofMember: withdrawInvitations,
  ofTeam: [removeInvitations, removeUploadsOf, removeTeamBilling],
};
