import type { Contents } from './account/delete.service.ts';
import { removeTeamBilling } from './billing/remove.service.ts';
import { removeInvitations } from './invitations/remove.service.ts';
import { removeUploadsOf } from './uploads/remove.service.ts';

/** What goes with an account or a team: features that keep something for them enter themselves here. */
export const CONTENTS: Contents = {
  ofAccount: [removeUploadsOf],
  ofTeam: [removeInvitations, removeUploadsOf, removeTeamBilling],
};
