/** The paths of the links in an invitation mail. The backend answers them, and apps on phones may open them. */
export const INVITATION_LINKS = {
  accept: '/api/team/accept-invitation',
  reject: '/api/team/reject-invitation',
} as const;

/** POST to this path asks for a new invitation. If a mailed link fails, the error page has a form for this request. */
export const ASK_FOR_INVITATION = '/api/team/ask-for-invitation';

/** The content of a link: the id of an invitation. A mailed link and the link of a shared invitation add its secret. */
export const LINK_CONTENT = /^([0-9a-f]{40})(?:\.([0-9a-f]{40}))?$/;
