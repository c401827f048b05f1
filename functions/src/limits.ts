import type { Config } from './config.ts';
import type { RateLimit } from './http/rate-limit-store.ts';

const MINUTE = 60;
const HOUR = 3600;

/** What is limited, and how much. */
export const LIMITS = {
  sessions: ({ sessionsPerMinute }: Config): RateLimit => ({
    name: 'sessions',
    points: sessionsPerMinute,
    seconds: MINUTE,
  }),
  invitations: ({ invitationsPerHour }: Config): RateLimit => ({
    name: 'invitations',
    points: invitationsPerHour,
    seconds: HOUR,
  }),
  uploads: ({ uploadsPerHour }: Config): RateLimit => ({
    name: 'uploads',
    points: uploadsPerHour,
    seconds: HOUR,
  }),
  /** Nobody is known to have sent them: a tenth of what a user may send. */
  anonymousUploads: ({ uploadsPerHour }: Config): RateLimit => ({
    name: 'anonymous-uploads',
    points: Math.ceil(uploadsPerHour / 10),
    seconds: HOUR,
  }),
};
