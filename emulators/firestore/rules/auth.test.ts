import { firestoreRules } from '@hearth/security-rules/testing';
import { doc, getDoc } from 'firebase/firestore';
import { describe, expect, test } from 'vitest';
import { PROJECT, serveForTest } from '../testing.ts';
import { serveRules } from './testing.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const token = (payload: string, signature = ''): string =>
  `${encoded('{"alg":"none"}')}.${encoded(payload)}.${signature}`;

describe('an ID token', () => {
  test.each([
    ['unsigned', token('{"sub":"ada"}'), 200],
    ['signed', token('{"sub":"ada"}', 'c2lnbmF0dXJl'), 200],
    ['with the older name of the user', token('{"user_id":"ada"}'), 200],
    ['of somebody else', token('{"sub":"bob"}'), 403],
    ['without a user', token('{}'), 401],
    ['with a user that is no text', token('{"sub":1}'), 401],
    ['with a list as payload', token('[]'), 401],
    ['with a payload that is no JSON', token('ada'), 401],
    ['without parts', 'ada', 401],
  ])('%s', async (_name, idToken, status) => {
    const rules = firestoreRules("match /c/{id} { allow list: if request.auth.uid == 'ada'; }");
    const { server } = await serveForTest({ rules });
    const route = `/v1/projects/${PROJECT}/databases/(default)/documents/c`;
    const response = await fetch(`http://${server.host}:${server.port}${route}`, {
      headers: { authorization: `Bearer ${idToken}` },
    });
    expect(response.status).toBe(status);
  });
});

test.each([
  ["request.auth.uid == 'ada' && request.auth.token.sub == 'ada'", true],
  ["request.auth.token.email == 'ada@example.com' && request.auth.token.email_verified", true],
  ["request.auth.token.firebase.sign_in_provider == 'password'", true],
  [
    'request.auth.token.level == 3 && request.auth.token.level is int && request.auth.token.share is float',
    true,
  ],
  ["'editor' in request.auth.token.roles && request.auth.token.team == null", true],
  ['request.auth.token.nope == null', false],
])('claims: %s: %s', async (condition, allowed) => {
  const { client } = await serveRules(`match /c/{id} { allow get: if ${condition}; }`);
  const ada = client('ada', {
    email: 'ada@example.com',
    email_verified: true,
    firebase: { sign_in_provider: 'password', identities: {} },
    level: 3,
    share: 0.5,
    roles: ['editor'],
    team: null,
  });
  const attempt = getDoc(doc(ada, 'c/one')).then(
    () => true,
    () => false,
  );
  expect(await attempt).toBe(allowed);
});

test('request.auth is null for a user who is not signed in', async () => {
  const { client } = await serveRules('match /c/{id} { allow get: if request.auth == null; }');
  await getDoc(doc(client(), 'c/one'));
  await expect(getDoc(doc(client('ada'), 'c/one'))).rejects.toMatchObject({ code: 'permission-denied' });
});
