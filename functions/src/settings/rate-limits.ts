import type { Config } from './config.ts';

/** The number of requests that are accepted under one key, such as a uid or an IP address, in each window of time. */
export interface RateLimit {
  /** Part of the key of the stored counters. If a limit is renamed, its counters start again. */
  name: string;
  /** Points that are accepted in each window. By default a request takes one point. */
  points: number;
  seconds: number;
}

const MINUTE = 60;
const UNTRUSTED_WINDOW = 10;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Many users may share an IP address, as in an office. Most limits of an IP address are this many times a user's. */
const USERS_PER_IP = 10;

export const RATE_LIMITS = {
  /** Sign-ins from one IP address. */
  sessions: ({ sessionsPerMinute }: Config): RateLimit => ({
    name: 'sessions',
    points: sessionsPerMinute,
    seconds: MINUTE,
  }),
  /**
   * Sign-ins of one user from all IP addresses. Without this limit a stolen ID token could fill the user's list of
   * sessions.
   */
  sessionsOfUser: ({ sessionsPerMinute }: Config): RateLimit => ({
    name: 'sessions-of-user',
    points: sessionsPerMinute,
    seconds: MINUTE,
  }),
  /** Requests of one user that write. Each instance counts in memory, which costs no reads. */
  writes: ({ writesPerMinute }: Config): RateLimit => ({
    name: 'writes',
    points: writesPerMinute,
    seconds: MINUTE,
  }),
  /** Requests of one user that only read. Each instance counts in memory, which costs no reads. */
  reads: ({ readsPerMinute }: Config): RateLimit => ({
    name: 'reads',
    points: readsPerMinute,
    seconds: MINUTE,
  }),
  /** Changes of the profile by one user, in each instance. A change of the name writes every membership of the user. */
  profileChanges: (): RateLimit => ({ name: 'profile-changes', points: 30, seconds: HOUR }),
  /**
   * Look-ups in Firebase Auth for the tokens of one sign-in: one for each write, and 120 more. They are for reads of a
   * user with an unverified address, and for operators. All sign-ins of a user together have twice as many. Each
   * instance counts in memory. With the default of WRITES_PER_MINUTE one user causes at most 8 look-ups a second in an
   * instance. Firebase allows 500 for the whole project.
   */
  lookUps: ({ writesPerMinute }: Config): RateLimit => ({
    name: 'look-ups',
    points: writesPerMinute + 120,
    seconds: MINUTE,
  }),
  /**
   * Look-ups in one instance for all sign-ins together that are not trusted, such as those of anonymous accounts. All
   * instances together make at most 250 a second, which is half of the quota. The window is short, so that an app with
   * many such users waits for seconds and not for a minute.
   */
  untrustedLookUps: ({ apiMaxInstances }: Config): RateLimit => ({
    name: 'untrusted-look-ups',
    points: Math.ceil((250 * UNTRUSTED_WINDOW) / apiMaxInstances),
    seconds: UNTRUSTED_WINDOW,
  }),
  /** The same for requests that sign out everywhere: at most 25 a second. */
  untrustedSignOutLookUps: ({ apiMaxInstances }: Config): RateLimit => ({
    name: 'untrusted-sign-out-look-ups',
    points: Math.ceil((25 * UNTRUSTED_WINDOW) / apiMaxInstances),
    seconds: UNTRUSTED_WINDOW,
  }),
  /** Look-ups of requests that sign out everywhere. */
  signOutLookUps: (): RateLimit => ({ name: 'sign-out-look-ups', points: 10, seconds: MINUTE }),
  /** Addresses that one user invites. */
  invitations: ({ invitationsPerHour }: Config): RateLimit => ({
    name: 'invitations',
    points: invitationsPerHour,
    seconds: HOUR,
  }),
  /** Addresses that all users behind one IP address invite. */
  invitationsPerIp: ({ invitationsPerHour }: Config): RateLimit => ({
    name: 'invitations-per-ip',
    points: invitationsPerHour * USERS_PER_IP,
    seconds: HOUR,
  }),
  /**
   * Mails with a link. To verify an address: for each account and for each address. To choose a new password: for each
   * address. The other spellings of a mailbox share one more limit of each kind.
   */
  accountMails: ({ accountMailsPerHour }: Config): RateLimit => ({
    name: 'account-mails',
    points: accountMailsPerHour,
    seconds: HOUR,
  }),
  /** Requests for a mail that verifies an address, from one IP address. */
  verificationMailsPerIp: ({ accountMailsPerHour }: Config): RateLimit => ({
    name: 'verification-mails-per-ip',
    points: accountMailsPerHour * USERS_PER_IP,
    seconds: HOUR,
  }),
  /** Requests for a new password from one IP address. */
  accountMailsPerIp: ({ accountMailsPerHour }: Config): RateLimit => ({
    name: 'account-mails-per-ip',
    points: accountMailsPerHour * USERS_PER_IP,
    seconds: HOUR,
  }),
  /**
   * Requests that need only a secret from a mail, per IP address and instance: describing an invitation, asking for a
   * new one, and stopping mail. The limit prevents guessing of secrets. It is high, because a mail provider may open
   * links for many people.
   */
  linksWithoutSignIn: (): RateLimit => ({ name: 'mailed-links', points: 300, seconds: MINUTE }),
  /** Visits to checkout and customer portal. Each visit calls Stripe, and all users share Stripe's own rate limit. */
  checkouts: ({ checkoutsPerHour }: Config): RateLimit => ({
    name: 'checkouts',
    points: checkoutsPerHour,
    seconds: HOUR,
  }),
  /** Changes of plan and add-ons. Each change can gain a few minutes of a price: see `requireRecentPreview`. */
  subscriptionChanges: (): RateLimit => ({ name: 'subscription-changes', points: 50, seconds: DAY }),
  /**
   * Returns from checkout and portal that need no session, per IP address and instance. With a valid proof a return
   * also counts as a visit of the customer.
   */
  returns: ({ checkoutsPerHour }: Config): RateLimit => ({
    name: 'returns',
    points: checkoutsPerHour * USERS_PER_IP,
    seconds: HOUR,
  }),
  /** Reports of usage by the clients of one user. */
  usageReports: ({ usageReportsPerMinute }: Config): RateLimit => ({
    name: 'usage-reports',
    points: usageReportsPerMinute,
    seconds: MINUTE,
  }),
  /** Exports of personal data. Each export reads all documents of the user. */
  exports: (): RateLimit => ({ name: 'exports', points: 10, seconds: HOUR }),
  /** Uploads of one user. */
  uploads: ({ uploadsPerHour }: Config): RateLimit => ({
    name: 'uploads',
    points: uploadsPerHour,
    seconds: HOUR,
  }),
  /**
   * Files of one user whose URLs are revoked: a tenth of the uploads. A revocation copies the object, and the bucket's
   * soft delete keeps the former object for days, which no quota counts.
   */
  revocations: ({ uploadsPerHour }: Config): RateLimit => ({
    name: 'revocations',
    points: Math.ceil(uploadsPerHour / 10),
    seconds: HOUR,
  }),
  /** Direct uploads of one user that one instance refuses for the limit of uploads and writes a record of. */
  refusedUploads: ({ uploadsPerHour }: Config): RateLimit => ({
    name: 'refused-uploads',
    points: uploadsPerHour,
    seconds: HOUR,
  }),
  /** Uploads of all users behind one IP address. */
  uploadsPerIp: ({ uploadsPerHour }: Config): RateLimit => ({
    name: 'uploads-per-ip',
    points: uploadsPerHour * USERS_PER_IP,
    seconds: HOUR,
  }),
  /** Uploads without a user, per IP address: a tenth of the limit of a user. */
  anonymousUploads: ({ uploadsPerHour }: Config): RateLimit => ({
    name: 'anonymous-uploads',
    points: Math.ceil(uploadsPerHour / 10),
    seconds: HOUR,
  }),
};
