import type { Config } from './config.ts';
import type { RateLimit } from '../http/rate-limit-store.ts';

const MINUTE = 60;
const HOUR = 3600;

/** Users at their limit whom one address may have, such as an office, before somebody is taken to have many accounts. */
const USERS_OF_AN_ADDRESS = 10;

/** What is limited, and how much. */
export const LIMITS = {
  sessions: ({ sessionsPerMinute }: Config): RateLimit => ({
    name: 'sessions',
    points: sessionsPerMinute,
    seconds: MINUTE,
  }),
  /** Whatever the addresses: whoever holds a fresh ID token could fill the list of its user's sessions. */
  sessionsOfUser: ({ sessionsPerMinute }: Config): RateLimit => ({
    name: 'sessions-of-user',
    points: sessionsPerMinute,
    seconds: MINUTE,
  }),
  /** Every request of a signed-in user that writes. Counted in each instance for itself, which costs no reads. */
  writes: ({ writesPerMinute }: Config): RateLimit => ({
    name: 'writes',
    points: writesPerMinute,
    seconds: MINUTE,
  }),
  invitations: ({ invitationsPerHour }: Config): RateLimit => ({
    name: 'invitations',
    points: invitationsPerHour,
    seconds: HOUR,
  }),
  invitationsByAddress: ({ invitationsPerHour }: Config): RateLimit => ({
    name: 'invitations-by-address',
    points: invitationsPerHour * USERS_OF_AN_ADDRESS,
    seconds: HOUR,
  }),
  /** Bounds the cost of guessing tokens. A mail provider sends the choices of many people from one IP address. */
  mailChoices: (): RateLimit => ({ name: 'mail-choices', points: 300, seconds: MINUTE }),
  /** Each costs calls to Stripe, whose own limits all users share. */
  checkouts: ({ checkoutsPerHour }: Config): RateLimit => ({
    name: 'checkouts',
    points: checkoutsPerHour,
    seconds: HOUR,
  }),
  /** Each export reads all data about a user. */
  exports: (): RateLimit => ({ name: 'exports', points: 10, seconds: HOUR }),
  /** Uploads, and revoked URLs, each of which copies an object. */
  uploads: ({ uploadsPerHour }: Config): RateLimit => ({
    name: 'uploads',
    points: uploadsPerHour,
    seconds: HOUR,
  }),
  uploadsByAddress: ({ uploadsPerHour }: Config): RateLimit => ({
    name: 'uploads-by-address',
    points: uploadsPerHour * USERS_OF_AN_ADDRESS,
    seconds: HOUR,
  }),
  /** Nobody is known to have sent them: a tenth of what a user may send. */
  anonymousUploads: ({ uploadsPerHour }: Config): RateLimit => ({
    name: 'anonymous-uploads',
    points: Math.ceil(uploadsPerHour / 10),
    seconds: HOUR,
  }),
};
