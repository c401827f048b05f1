import * as z from 'zod';
import { countedAs, emailSchema } from '../common/email.ts';
import { isPagePath } from '../common/url.ts';
import { empty } from '../http/answer.ts';
import { route, type Route } from '../http/route.ts';
import { RATE_LIMITS } from '../settings/rate-limits.ts';
import { appPathSchema } from '../settings/schemas.ts';
import { mailPasswordReset, mailVerification } from './account-mail.service.ts';

const tag = 'Account';

/** Path of a page of the app where the user continues after the page of the link. */
const continueTo = appPathSchema
  .max(1_000)
  .refine(isPagePath, 'must not be a path of the API')
  .meta({ examples: ['/dashboard'] })
  .exactOptional();

const sendVerificationRoute = route({
  id: 'sendVerification',
  method: 'post',
  path: '/api/auth/verification-mail',
  tag,
  summary: 'Mail a link that verifies the address',
  description:
    "Mails the caller a link to a page of the app that verifies the caller's e-mail address. Mails nothing if the address is already verified.",
  limits: [{ limit: RATE_LIMITS.verificationMailsPerIp, by: 'ip' }],
  body: z.strictObject({ continueTo }),
  answers: { 204: empty('The mail is on its way, or the address is already verified.') },
  refusals: ['email_missing', 'auth_unavailable', 'busy', 'too_many_requests'],
  handler: async ({ backend, caller, body, countRequest }) => {
    await countRequest(RATE_LIMITS.accountMails, `verification ${caller.uid}`);
    if (caller.email !== undefined) {
      // Otherwise a person could mail a stranger without limit, by an account for each spelling of the address.
      await countRequest(RATE_LIMITS.accountMails, `verification ${countedAs(caller.email)}`);
    }
    await mailVerification(backend, caller, body.continueTo);
    return { status: 204 };
  },
});

const sendPasswordResetRoute = route({
  id: 'sendPasswordReset',
  method: 'post',
  path: '/api/auth/password-reset',
  tag,
  summary: 'Mail a link to choose a new password',
  description:
    "Mails a link to the app's page where the owner of the address chooses a new password. The answer does not say whether the address has an account.",
  access: 'public',
  limits: [{ limit: RATE_LIMITS.accountMailsPerIp, by: 'ip' }],
  body: z.strictObject({ email: emailSchema, continueTo }),
  answers: { 204: empty('The mail is on its way, if the address has an account.') },
  refusals: ['auth_unavailable', 'busy', 'too_many_requests'],
  handler: async ({ backend, body: { email, continueTo: to }, countRequest }) => {
    // Not by mailbox: a stranger could use up the requests of its owner by other spellings of the address.
    await countRequest(RATE_LIMITS.accountMails, `reset ${email}`);
    await mailPasswordReset(backend, email, to);
    return { status: 204 };
  },
});

export const accountMailRoutes: readonly Route[] = [sendVerificationRoute, sendPasswordResetRoute];
