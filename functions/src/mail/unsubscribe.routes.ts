import type { Request } from 'express';
import * as z from 'zod';
import { htmlPage } from '../http/answer.ts';
import { htmlForm } from '../http/pages/html.ts';
import { route, type Route, type GuardDeclaration } from '../http/route.ts';
import { pageTexts } from '../http/texts/page-texts.ts';
import { RATE_LIMITS } from '../settings/rate-limits.ts';
import { RECIPIENT_TOKEN } from './recipient.ts';
import { saveMailChoice, receivesMail } from './unsubscribe.service.ts';

/** The token in the link authorizes the choice for its mailbox, so nobody has to sign in. */
export const MAIL_CHOICE_DECLARATION = {
  access: 'public',
  appCheck: false,
  errorShape: 'page-or-json',
  limits: [{ limit: RATE_LIMITS.linksWithoutSignIn, by: 'ip-per-instance' }],
} as const satisfies GuardDeclaration;

const choice = {
  ...MAIL_CHOICE_DECLARATION,
  tag: 'Mail',
  query: z.object({
    token: z.string({ error: 'The link is incomplete.' }).regex(RECIPIENT_TOKEN, 'The link is malformed.'),
  }),
  answers: { 200: htmlPage('A page that shows the choice, with a button that changes it.') },
  refusals: ['unknown_link', 'busy'],
} as const;

const BUTTONS = { unsubscribe: 'stop', subscribe: 'resume' } as const;

/** Mail scanners open links, so GET changes nothing. */
const askToUnsubscribeRoute = route({
  ...choice,
  id: 'askToUnsubscribe',
  method: 'get',
  path: '/api/mail/unsubscribe',
  summary: 'Show the choice of a mailbox',
  description: 'Shows whether a mailbox receives invitation mail. Changes nothing.',
  handler: async ({ backend, query: { token }, request }) => {
    const isReceiving = await receivesMail(backend, token);
    const html = isReceiving
      ? choicePage(request, 'ask', 'unsubscribe', token)
      : choicePage(request, 'stopped', 'subscribe', token);
    return { status: 200, html };
  },
});

const unsubscribeRoute = route({
  ...choice,
  id: 'unsubscribe',
  method: 'post',
  path: '/api/mail/unsubscribe',
  summary: 'Stop invitation mail',
  description:
    'Stops invitation mail to a mailbox. Mail programs with an unsubscribe button call it (RFC 8058).',
  handler: async ({ backend, query: { token }, request }) => {
    await saveMailChoice(backend, token, false);
    return { status: 200, html: choicePage(request, 'stopped', 'subscribe', token) };
  },
});

const subscribeRoute = route({
  ...choice,
  id: 'subscribe',
  method: 'post',
  path: '/api/mail/subscribe',
  summary: 'Resume invitation mail',
  description: 'Allows invitation mail to a mailbox again.',
  handler: async ({ backend, query: { token }, request }) => {
    await saveMailChoice(backend, token, true);
    return { status: 200, html: choicePage(request, 'resumed', 'unsubscribe', token) };
  },
});

/** A page that says which mail a mailbox receives, with a button that changes it. */
function choicePage(
  request: Request,
  state: 'ask' | 'stopped' | 'resumed',
  action: keyof typeof BUTTONS,
  token: string,
): string {
  const texts = pageTexts(request);
  const button = texts.mailChoice[BUTTONS[action]];
  const path = `/api/mail/${action}?token=${token}`;
  return htmlForm(texts, { ...texts.mailChoice[state], button, action: path });
}

export const unsubscribeRoutes: readonly Route[] = [askToUnsubscribeRoute, unsubscribeRoute, subscribeRoute];
