/** The paths of the links in an invitation mail. The backend answers them, and apps on phones may open them. */
export const INVITATION_LINKS = {
  accept: '/api/team/accept-invitation',
  reject: '/api/team/reject-invitation',
} as const;
