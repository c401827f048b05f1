import type { Router } from 'express';
import * as z from 'zod';
import { htmlForm } from '../http/html.ts';
import { limitByAddressHere } from '../http/rate-limit.ts';
import { createRouter } from '../http/router.ts';
import { validate } from '../http/validate.ts';
import { LIMITS } from '../settings/limits.ts';
import type { Backend } from '../backend.ts';
import { RECIPIENT_TOKEN } from './recipient.ts';
import { chooseMail, receivesMail } from './unsubscribe.service.ts';

export const choiceQuery = z.object({
  token: z.string({ error: 'The link is incomplete.' }).regex(RECIPIENT_TOKEN, 'The link is malformed.'),
});

const STOP = { action: 'unsubscribe', button: 'Stop invitation mail' };
const RESUME = { action: 'subscribe', button: 'Send me invitation mail again' };

/**
 * The links in invitation mail that stop it, mounted at /api/mail. They need no sign-in: the token in the link authorizes
 * the choice for its mailbox. Mail scanners open links, so GET changes nothing. Mail programs with a button of their own
 * send POST (https://www.rfc-editor.org/rfc/rfc8058).
 */
export function unsubscribeRoutes(backend: Backend): Router {
  const router = createRouter();
  router.use(limitByAddressHere(LIMITS.mailChoices()));

  router.get('/unsubscribe', async (request, response) => {
    const { token } = validate(choiceQuery, request.query);
    const isReceiving = await receivesMail(backend, token);
    response.type('html').send(isReceiving ? page(ASK, STOP, token) : page(STOPPED, RESUME, token));
  });

  router.post('/unsubscribe', async (request, response) => {
    const { token } = validate(choiceQuery, request.query);
    await chooseMail(backend, token, false);
    response.type('html').send(page(STOPPED, RESUME, token));
  });

  router.post('/subscribe', async (request, response) => {
    const { token } = validate(choiceQuery, request.query);
    await chooseMail(backend, token, true);
    response.type('html').send(page(RESUMED, STOP, token));
  });

  return router;
}

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

function page(message: typeof ASK, { action, button }: typeof STOP, token: string): string {
  return htmlForm({ ...message, button, action: `/api/mail/${action}?token=${token}` });
}
