import { createHash } from 'node:crypto';
import { BRAND } from '@hearth/shared/brand';
import escapeHtml from 'escape-html';
import express, { type ErrorRequestHandler } from 'express';
import { describe, expect, test } from 'vitest';
import { refusal, type Refusal } from '../../refusals/refusals.ts';
import { serve } from '../testing/serve.ts';
import { errorHandlerForShape, jsonErrors, uploadErrors } from './render-error.ts';

interface Visit {
  path?: string;
  accept?: string;
  /** `Accept-Language` of the request. */
  language?: string;
  /** Address of the caller. */
  email?: string;
  token?: string;
  method?: string;
}

async function answerTo(
  thrown: unknown,
  handler: ErrorRequestHandler,
  { path = '/', accept = '*/*', language = '*', email, token, method = 'GET' }: Visit = {},
) {
  const app = express();
  app.all('/*path', (_request, response) => {
    if (email !== undefined) response.locals['caller'] = { email };
    throw thrown;
  });
  app.get('/', () => {
    throw thrown;
  });
  app.use(handler);
  const response = await fetch((await serve(app)) + path, {
    method,
    headers: {
      Accept: accept,
      'Accept-Language': language,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const pageOrHtmlFragmentErrors = errorHandlerForShape('page-or-html-fragment', {
  config: {
    appUrl: 'https://app.example.com',
    ownOrigins: [],
    hostingSites: [],
    previewChannels: false,
    signInPath: '/auth/sign-in',
  },
  back: { to: 'dashboard', href: '/dashboard' },
});

const SECRET = 'sk_live_leaked';
const HANDLERS: [string, ErrorRequestHandler][] = [
  ['jsonErrors', jsonErrors],
  ['uploadErrors', uploadErrors],
  ['pageOrHtmlFragmentErrors', pageOrHtmlFragmentErrors],
];

describe.each(HANDLERS)('%s', (_name, handler) => {
  test.each([
    ['an Error', new Error(SECRET)],
    ['an error with a status of its own', Object.assign(new Error(SECRET), { status: 404, expose: true })],
    ['text', SECRET],
    ['undefined', undefined],
    ['an object', { message: SECRET, status: 400 }],
  ])('a thrown %s is 500 without internal details', async (_case, thrown) => {
    const { status, body, headers } = await answerTo(thrown, handler);
    // Express takes `throw undefined` for no error at all, and finds no further handler.
    expect(status).toBe(thrown === undefined ? 404 : 500);
    expect(body + JSON.stringify([...headers])).not.toMatch(/sk_live|\.ts|node_modules|at /);
  });

  test('a refusal keeps its status and headers', async () => {
    const { status, headers } = await answerTo(refusal('method_not_allowed', { allowed: 'GET' }), handler);
    expect(status).toBe(405);
    expect(headers.get('Allow')).toBe('GET');
  });

  test('the cause of a refusal is not in the answer', async () => {
    const { status, body } = await answerTo(refusal('busy', {}, { cause: new Error(SECRET) }), handler);
    expect(status).toBe(503);
    expect(body).not.toContain(SECRET);
  });
});

test.each(['app/network-error', 'app/network-timeout', 'auth/internal-error'])(
  'an error of Firebase Auth (%s) is 503 and can be retried',
  async (code) => {
    const { status, body } = await answerTo(Object.assign(new Error(SECRET), { code }), jsonErrors);
    expect(status).toBe(503);
    expect(JSON.parse(body)).toEqual({
      error: 'Sign-in is not available right now.',
      code: 'auth_unavailable',
    });
  },
);

test('jsonErrors answers a message and a code', async () => {
  expect(JSON.parse((await answerTo(refusal('plan_not_found'), jsonErrors)).body)).toEqual({
    error: 'There is no such plan.',
    code: 'plan_not_found',
  });
});

test('jsonErrors answers the problem of each wrong field', async () => {
  const fields = { name: 'is too long' };
  const refused = refusal('invalid_request', { reason: 'name: is too long' }, { fields });
  expect(JSON.parse((await answerTo(refused, jsonErrors)).body)).toEqual({
    error: 'name: is too long',
    code: 'invalid_request',
    fields,
  });
  const whole = refusal('invalid_request', { reason: 'Send a list.' }, { fields: {} });
  expect(JSON.parse((await answerTo(whole, jsonErrors)).body)).not.toHaveProperty('fields');
});

test.each([
  [refusal('body_type_not_form'), 'Send the file as multipart/form-data.'],
  [refusal('internal'), 'Failed to upload file'],
  [refusal('storage_unavailable'), 'Failed to upload file'],
] satisfies [Refusal, string][])('uploadErrors answers $code with one field', async (refusal, error) => {
  const { body, headers } = await answerTo(refusal, uploadErrors);
  expect(JSON.parse(body)).toEqual({ error });
  expect(headers.get('Content-Type')).toMatch(/^application\/json/);
});

test('pageOrHtmlFragmentErrors answers an escaped fragment', async () => {
  const { status, body, headers } = await answerTo(
    refusal('invalid_request', { reason: '<img src=x> & co' }),
    pageOrHtmlFragmentErrors,
  );
  expect(status).toBe(400);
  expect(headers.get('Content-Type')).toMatch(/^text\/html; charset=utf-8/);
  expect(body).toMatch(/^<h3>&lt;img src=x&gt; &amp; co<\/h3>\s*<p>/);
});

describe('for a browser, an error of an invitation link', () => {
  const LINK = `/api/team/accept-invitation?invitationId=${'a'.repeat(40)}`;
  const pageFor = (refusal: Refusal, path = LINK) =>
    answerTo(refusal, pageOrHtmlFragmentErrors, { path, accept: 'text/html', email: 'ada@example.com' });

  test('is a heading of level 3 and a paragraph, inside of a page whose style the policy allows', async () => {
    const { body, headers } = await pageFor(refusal('invitation_expired'));
    expect(body).toMatch(/^<!doctype html>/);
    expect(body).toMatch(
      /<main>\n<h3>This invitation has expired\.<\/h3>\n<p>Ask the person[^<]* contact support\.<\/p>/,
    );
    const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('Content-Security-Policy')).toContain(`style-src 'sha256-${hash}'`);
  });

  const SIGN_IN = `/auth/sign-in?callback=${encodeURIComponent(`https://app.example.com${LINK}`)}`;

  test.each([
    [refusal('not_recipient'), [`${SIGN_IN}&amp;switch=true`, '/dashboard']],
    [refusal('email_unverified'), [SIGN_IN, '/dashboard']],
    [refusal('invitation_expired'), ['/dashboard']],
    [refusal('already_member'), ['/dashboard']],
    [refusal('no_seat'), [LINK, '/dashboard']],
    [refusal('busy'), [LINK, '/dashboard']],
  ])('$0.code leads on to $1', async (refusal, links) => {
    const { body } = await pageFor(refusal);
    const support = BRAND.supportUrl === null ? [] : [escapeHtml(BRAND.supportUrl)];
    expect(Array.from(body.matchAll(/<a class="button[^"]*" href="([^"]+)"/g), ([, href]) => href)).toEqual([
      ...links,
      ...support,
    ]);
  });

  test('after a form was sent, has a button that sends the form again', async () => {
    const path = '/api/team/ask-for-invitation?invitationId=a';
    const visit = { path, accept: 'text/html', method: 'POST' };
    const { body } = await answerTo(refusal('busy'), pageOrHtmlFragmentErrors, visit);
    expect(body).toContain(`<form method="post" action="${path}">`);
  });

  test('is the heading and the paragraph alone for a request with an ID token', async () => {
    const { body } = await answerTo(refusal('invitation_expired'), pageOrHtmlFragmentErrors, {
      path: LINK,
      accept: 'text/html',
      token: 'an ID token',
    });
    expect(body).toBe(
      '<h3>This invitation has expired.</h3>\n<p>Please try again later or contact support.</p>\n',
    );
  });

  test('names the account if another one is needed', async () => {
    const shown = 'You are signed in as <strong>ada@example.com</strong>.';
    expect((await pageFor(refusal('not_recipient'))).body).toContain(shown);
    expect((await pageFor(refusal('invitation_expired'))).body).not.toContain('ada@example.com');
  });

  test('asks the sender for a new invitation if the link has the secret of the mail', async () => {
    const mailed = `${'a'.repeat(40)}.${'b'.repeat(40)}`;
    const { body } = await pageFor(refusal('invitation_expired'), `${LINK}.${'b'.repeat(40)}`);
    expect(body).toContain(
      `<form method="post" action="/api/team/ask-for-invitation?invitationId=${mailed}"><button class="button primary">Ask for a new one<`,
    );
  });

  test('has no button to ask for a new invitation if the link is unknown or of a shared invitation', async () => {
    const { body } = await pageFor(refusal('invitation_not_found'), `${LINK}.${'b'.repeat(40)}`);
    expect(body).not.toContain('ask-for-invitation');
    const closed = await pageFor(refusal('shared_link_closed'), `${LINK}.${'b'.repeat(40)}`);
    expect(closed.body).not.toContain('ask-for-invitation');
  });

  test('advises to ask the person who invited if a shared link is closed, but not for other unknown links', async () => {
    const advice = 'Ask the person who invited you for a new invitation.';
    expect((await pageFor(refusal('shared_link_closed'))).body).toContain(advice);
    expect((await pageFor(refusal('unknown_link'))).body).not.toContain(advice);
  });

  test('says to try again later only if that helps', async () => {
    expect((await pageFor(refusal('busy'))).body).toContain(
      '<p>Please try again later or contact support.</p>',
    );
    expect((await pageFor(refusal('not_recipient'))).body).not.toContain('later');
  });

  test.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Diese Einladung ist abgelaufen.'],
    // Klingon: a project hardly adds it.
    ['tlh,de;q=0.5', 'de', 'Diese Einladung ist abgelaufen.'],
    ['en-GB,de;q=0.5', 'en', 'This invitation has expired.'],
    ['tlh', 'en', 'This invitation has expired.'],
    ['constructor', 'en', 'This invitation has expired.'],
  ])('for a browser that prefers %s is in the language %s', async (preferred, language, heading) => {
    const { body } = await answerTo(refusal('invitation_expired'), pageOrHtmlFragmentErrors, {
      ...{ path: LINK, accept: 'text/html', language: preferred },
    });
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).toContain(`<h3>${heading}</h3>`);
  });

  test('shows the values of a refusal in the language of the page', async () => {
    const germanPage = async (refusal: Refusal) =>
      (await answerTo(refusal, pageOrHtmlFragmentErrors, { path: LINK, accept: 'text/html', language: 'de' }))
        .body;
    const ended = await germanPage(refusal('credentials_ended'));
    expect(ended).toContain('Diese Anmeldung ist beendet. Melden Sie sich erneut an.');
    const limited = await germanPage(refusal('rate_limit_reached', { wait: 60 }));
    expect(limited).toContain('Versuchen Sie es in 60 Sekunden erneut.');
    const full = await germanPage(refusal('quota_exceeded', { size: 1_500_000_000 }));
    expect(full).toContain('Ihr Speicher von 1,5\u00a0GB ist voll.');
  });

  test('is in English for a program, whatever languages it names', async () => {
    const { body } = await answerTo(refusal('invitation_expired'), pageOrHtmlFragmentErrors, {
      path: LINK,
      language: 'de',
    });
    expect(body).toContain('This invitation has expired.');
  });

  test('has no link to a URL outside of the API', async () => {
    const { body } = await pageFor(refusal('busy'), '//evil.example/');
    expect(body).not.toContain('evil.example');
  });
});

test('a malformed URL is 400', async () => {
  const app = express();
  app.get('/:slug', (_request, response) => {
    response.end();
  });
  app.use(jsonErrors);
  const response = await fetch(`${await serve(app)}/%ff`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'invalid_request' });
});

test('an answer that has begun is aborted, so that it does not look complete', async () => {
  const app = express();
  app.get('/', (_request, response) => {
    response.write('half');
    throw new Error(SECRET);
  });
  app.use(jsonErrors);
  await expect(fetch(await serve(app)).then((response) => response.text())).rejects.toThrow();
});
