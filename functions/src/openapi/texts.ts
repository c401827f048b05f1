/** Tags in the order in which documentation lists them. A test compares them with the routes. */
export const TAGS: Readonly<Record<string, string>> = {
  Sessions: 'Signing in and out with a session cookie.',
  Account: 'The profile and the data of the signed-in user.',
  Teams: 'Teams of the signed-in user, and their audit log.',
  Members: 'The members of a team and their roles.',
  Ownership: 'Offers to take over a team or to become a co-owner.',
  Invitations: 'Inviting people to a team, and replying to invitations.',
  Billing: "Plans, and redirects to Stripe's hosted pages.",
  Uploads: 'Files of a user or a team.',
  Mail: 'Links in invitation mail, by which a person stops or resumes such mail.',
  Admin: 'For operators: users with the claim `admin`.',
  Service: 'Health and description of the service.',
};

export const INFO_DESCRIPTION = `**Authentication.** Send a Firebase ID token as \`Authorization: Bearer …\`, or the session cookie \`__session\` that
\`POST /api/auth/session\` sets. Requests with the cookie that change something must come from the app's own origin.

**App Check.** If it is required, requests carry an App Check token in \`X-Firebase-AppCheck\`. No token is needed for public data
and for links that a browser opens.

**Errors.** An error is \`{ "error": "…", "code": "…" }\`. The message is for people and may change. Programs compare the code. Uploads
answer \`{ "error": "…" }\` alone. 429 and 503 name the seconds to wait in \`Retry-After\`. Every answer has an id in \`X-Request-Id\`,
which finds the request in the log.

**Lists.** A list takes \`limit\` (1 to 100, 50 by default) and \`cursor\`, and answers \`nextCursor\`, which is null on the last page.

**Costs.** \`x-cost\` of an operation is its lowest measured cost for a signed-in user with an ID token: \`reads\`, \`writes\` and \`deletes\`
as Firestore bills them, and calls to Firebase Auth and Stripe. \`cachedAuth\` replaces \`auth\` while the state of the user is cached. A session
cookie costs one read more.`;
