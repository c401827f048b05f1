export {
  INVITATION_STATUSES,
  invitationSchema,
  type Invitation,
  type InvitationStatus,
} from '@hearth/shared/documents/invitation';
