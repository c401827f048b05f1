import * as z from 'zod';
import { page } from '../http/answer.ts';
import { htmlForm } from '../http/errors/html.ts';
import { route, type Route, type RouteGuards } from '../http/route.ts';
import { LIMITS } from '../settings/limits.ts';
import { RECIPIENT_TOKEN } from './recipient.ts';
import { chooseMail, receivesMail } from './unsubscribe.service.ts';

/** The token in the link authorizes the choice for its mailbox, so nobody has to sign in. */
export const MAIL_CHOICE = {
  access: 'public',
  appCheck: false,
  errors: 'page',
  limits: [{ limit: LIMITS.mailedLinks, by: 'ip-per-instance' }],
} as const satisfies RouteGuards;

const choice = {
  ...MAIL_CHOICE,
  tag: 'Mail',
  query: z.object({
    token: z.string({ error: 'The link is incomplete.' }).regex(RECIPIENT_TOKEN, 'The link is malformed.'),
  }),
  answers: { 200: page('A page that shows the choice, with a button that changes it.') },
  refusals: ['unknown_link', 'busy'],
} as const;

const STOP = { action: 'unsubscribe', button: 'Stop invitation mail' };
const RESUME = { action: 'subscribe', button: 'Send me invitation mail again' };

/** Mail scanners open links, so GET changes nothing. */
const ask = route({
  ...choice,
  id: 'askToUnsubscribe',
  method: 'get',
  path: '/api/mail/unsubscribe',
  summary: 'Show the choice of a mailbox',
  description: 'Shows whether a mailbox receives invitation mail. Changes nothing.',
  handler: async ({ backend, query: { token } }) => {
    const isReceiving = await receivesMail(backend, token);
    return { status: 200, html: isReceiving ? formOf(ASK, STOP, token) : formOf(STOPPED, RESUME, token) };
  },
});

const unsubscribe = route({
  ...choice,
  id: 'unsubscribe',
  method: 'post',
  path: '/api/mail/unsubscribe',
  summary: 'Stop invitation mail',
  description:
    'Stops invitation mail to a mailbox. Mail programs with an unsubscribe button call it (RFC 8058).',
  handler: async ({ backend, query: { token } }) => {
    await chooseMail(backend, token, false);
    return { status: 200, html: formOf(STOPPED, RESUME, token) };
  },
});

const subscribe = route({
  ...choice,
  id: 'subscribe',
  method: 'post',
  path: '/api/mail/subscribe',
  summary: 'Resume invitation mail',
  description: 'Allows invitation mail to a mailbox again.',
  handler: async ({ backend, query: { token } }) => {
    await chooseMail(backend, token, true);
    return { status: 200, html: formOf(RESUMED, STOP, token) };
  },
});

const ASK = {
  title: 'Stop invitation mail?',
  text: 'This app will no longer send invitations to your address. You still see them when you are signed in.',
};
const STOPPED = {
  title: 'Invitation mail is stopped',
  text: 'This app sends no invitations to your address. You still see them when you are signed in.',
};
const RESUMED = {
  title: 'Invitation mail is on',
  text: 'This app sends invitations to your address again.',
};

function formOf(message: typeof ASK, { action, button }: typeof STOP, token: string): string {
  return htmlForm({ ...message, button, action: `/api/mail/${action}?token=${token}` });
}

export const mailRoutes: readonly Route[] = [ask, unsubscribe, subscribe];
