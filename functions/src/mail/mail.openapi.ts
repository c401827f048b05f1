import { page, type Operation } from '../openapi/operation.ts';
import { choiceQuery } from './unsubscribe.routes.ts';

/** Opened from a mail, by a person or by the button of a mail program. */
const choice = (operation: Pick<Operation, 'id' | 'method' | 'path' | 'summary'>): Operation => ({
  ...operation,
  access: 'public',
  query: choiceQuery,
  answers: { 200: page('A page that says how it is, with a button that changes it.') },
  errors: { 404: ['unknown_link'], 503: ['busy'] },
  errorShape: 'page',
  limited: true,
});

export const MAIL_OPERATIONS: readonly Operation[] = [
  choice({
    id: 'askToUnsubscribe',
    method: 'get',
    path: '/api/mail/unsubscribe',
    summary: 'Shows whether a mailbox receives invitation mail. Changes nothing.',
  }),
  choice({
    id: 'unsubscribe',
    method: 'post',
    path: '/api/mail/unsubscribe',
    summary: 'Stops invitation mail to a mailbox (RFC 8058).',
  }),
  choice({
    id: 'subscribe',
    method: 'post',
    path: '/api/mail/subscribe',
    summary: 'Sends invitation mail to a mailbox again.',
  }),
];
