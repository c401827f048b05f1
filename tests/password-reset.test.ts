import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { mailPasswordReset } from '../functions/src/account/account-mail.service.ts';
import type { Backend } from '../functions/src/backend.ts';
import { countCosts, noCosts } from '../functions/src/common/costs.ts';
import type { Tx } from '../functions/src/firestore/db.ts';
import { accountLinkTo, mailsTo, openLink } from './support/account-mail.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminAuth, signUp } from './support/people.ts';
import { call, errorOf, freshAddress } from './support/requests.ts';
import { useResources } from './support/resources.ts';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
});

/** Asks for a new password from an IP address of its own. */
const askAt = async ({ url }: AppUnderTest, email: string) => {
  const headers = { 'X-Forwarded-For': freshAddress() };
  return (await call('POST', `${url}/api/auth/password-reset`, { headers, json: { email } })).status;
};

const post = (path: string, json: object) => call('POST', `${app.url}/api/auth/${path}`, { json });

/** A backend that records the calls of a request for a new password. */
function watched(backend: Backend, steps: string[]): Backend {
  const { auth, db } = backend;
  const record = <Args extends unknown[], Result>(step: string, act: (...args: Args) => Result) => {
    return (...args: Args) => {
      steps.push(step);
      return act(...args);
    };
  };
  return {
    ...backend,
    auth: {
      ...auth,
      getUsers: record('getUsers', auth.getUsers),
      generatePasswordResetLink: record('generatePasswordResetLink', auth.generatePasswordResetLink),
    },
    db: {
      ...db,
      run: async <Result>(body: (tx: Tx) => Promise<Result>) => {
        const result = await db.run(body);
        steps.push('commit');
        return result;
      },
    },
  };
}

describe('the mail to choose a new password', () => {
  test("leads to the app's own page, whose code sets the password", async () => {
    const person = await signUp();
    expect((await post('password-reset', { email: person.email.toUpperCase() })).status).toBe(204);
    const link = await accountLinkTo(person.email);
    expect(link.searchParams.get('mode')).toBe('resetPassword');
    expect((await openLink(link, 'resetPassword', { newPassword: 'another horse' })).status).toBe(200);
  });

  test('is not sent to an unknown address, with the same answer', async () => {
    const email = `${randomUUID()}@example.com`;
    const answer = await post('password-reset', { email });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(await mailsTo(email)).toEqual([]);
  });

  // The emulator has no limits and no outages.
  test.each([
    ['auth/user-disabled', 204],
    ['auth/email-not-found', 204],
    ['auth/too-many-requests', 204],
    ['auth/internal-error', 503],
  ])('answers the error %s of Firebase Auth about an account with %i', async (code, status) => {
    const generatePasswordResetLink = () => Promise.reject(Object.assign(new Error('refused'), { code }));
    const auth = { ...app.backend.auth, generatePasswordResetLink };
    await using other = await serveApp({ backend: { auth } });
    const { email } = await signUp();
    const answer = await call('POST', `${other.url}/api/auth/password-reset`, { json: { email } });
    expect(answer.status).toBe(status);
    expect(await mailsTo(email)).toEqual([]);
  });

  test('is not sent to a disabled account', async () => {
    const { uid, email } = await signUp();
    await adminAuth().updateUser(uid, { disabled: true });
    expect((await post('password-reset', { email })).status).toBe(204);
    expect(await mailsTo(email)).toEqual([]);
  });

  test('is answered with 503 while accounts cannot be looked up', async () => {
    const auth = { ...app.backend.auth, getUsers: () => Promise.reject(new Error('Down.')) };
    await using other = await serveApp({ backend: { auth } });
    const { email } = await signUp();
    const answer = await call('POST', `${other.url}/api/auth/password-reset`, { json: { email } });
    expect((await errorOf(answer)).code).toBe('auth_unavailable');
  });

  test('takes the same calls to Firebase Auth, and one commit of the same size, whatever the address has', async () => {
    const unverifiedOptions = { email: `${randomUUID()}+1@example.com`, emailVerified: false };
    const [known, disabled, unverified] = await Promise.all([signUp(), signUp(), signUp(unverifiedOptions)]);
    await adminAuth().updateUser(disabled.uid, { disabled: true });
    const backend = { ...app.backend, config: { ...app.backend.config, accountMailsPerHour: 1 } };
    const stepsFor = async (email: string) => {
      const steps: string[] = [];
      const costs = noCosts();
      await countCosts(costs, () => mailPasswordReset(watched(backend, steps), email, undefined));
      return [...steps, costs.reads, costs.writes + costs.deletes];
    };
    const steps = ['getUsers', 'generatePasswordResetLink', 'commit', 1, 2];
    expect(await stepsFor(known.email)).toEqual(steps);
    expect(await stepsFor(`${randomUUID()}@example.com`)).toEqual(steps);
    expect(await stepsFor(disabled.email)).toEqual(steps);
    expect(await stepsFor(unverified.email)).toEqual(steps);
    // The mailbox has reached its limit.
    expect(await stepsFor(unverified.email)).toEqual(steps);
    expect(await mailsTo(unverified.email)).toHaveLength(1);
  });

  test('does not continue at a route of the API', async () => {
    const { email } = await signUp();
    const continueTo = '/dashboard/../api/auth/checkout/pro';
    const answer = await errorOf(await post('password-reset', { email, continueTo }));
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(await mailsTo(email)).toEqual([]);
  });

  test('is limited for each address, whether it has an account or not', async () => {
    await using limited = await serveApp({ config: { accountMailsPerHour: 1 } });
    const ask = (email: string) => askAt(limited, email);
    const known = await signUp();
    const unknown = `${randomUUID()}@example.com`;
    for (const email of [known.email, unknown]) {
      expect(await ask(email)).toBe(204);
      expect(await ask(email.toUpperCase())).toBe(429);
    }
    expect(await ask(`${randomUUID()}@example.com`)).toBe(204);
  });

  test('is limited for each IP address', async () => {
    await using limited = await serveApp({ config: { accountMailsPerHour: 1 } });
    const url = `${limited.url}/api/auth/password-reset`;
    const headers = { 'X-Forwarded-For': freshAddress() };
    const ask = () => call('POST', url, { headers, json: { email: `${randomUUID()}@example.com` } });
    const answers = await Promise.all(Array.from({ length: 11 }, async () => (await ask()).status));
    expect(answers.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('a stranger who asks for new passwords', () => {
  /** Addresses of one mailbox at Gmail. */
  const spellings = () => {
    const local = randomUUID().replaceAll('-', '');
    return {
      plain: `${local}@gmail.com`,
      withDot: `${local.slice(0, 1)}.${local.slice(1)}@gmail.com`,
      withTag: (tag: number) => `${local}+${tag}@gmail.com`,
    };
  };

  test('does not keep the owner of a mailbox from one by other spellings of its address', async () => {
    await using limited = await serveApp({ config: { accountMailsPerHour: 1 } });
    const { plain, withTag } = spellings();
    await signUp({ email: plain });
    for (const tag of [1, 2]) expect(await askAt(limited, withTag(tag))).toBe(204);
    expect(await askAt(limited, plain)).toBe(204);
    expect(await mailsTo(plain)).toHaveLength(1);
  });

  test.each(['plain', 'withDot'] as const)(
    'does not keep the owner of a mailbox from one by accounts with other spellings: %s',
    async (spelling) => {
      await using limited = await serveApp({ config: { accountMailsPerHour: 1 } });
      const { withTag, ...own } = spellings();
      const email = own[spelling];
      // A mailbox has many spellings with dots. Only the account of its owner can be verified.
      await signUp({ email, emailVerified: spelling === 'withDot' });
      for (const tag of [1, 2]) {
        await signUp({ email: withTag(tag), emailVerified: false });
        expect(await askAt(limited, withTag(tag))).toBe(204);
      }
      expect(await askAt(limited, email)).toBe(204);
      expect(await mailsTo(email)).toHaveLength(1);
    },
  );

  test('fills no mailbox by accounts with other spellings of its address, and gets the same answer', async () => {
    await using limited = await serveApp({ config: { accountMailsPerHour: 2 } });
    const { withTag } = spellings();
    const answers = [];
    const mails = [];
    for (const tag of [1, 2, 3]) {
      await signUp({ email: withTag(tag), emailVerified: false });
      answers.push(await askAt(limited, withTag(tag)));
      mails.push((await mailsTo(withTag(tag))).length);
    }
    expect([answers, mails]).toEqual([
      [204, 204, 204],
      [1, 1, 0],
    ]);
  });

  test('at the exact address causes mails that its owner can use after the limit', async () => {
    await using limited = await serveApp({ config: { accountMailsPerHour: 1 } });
    const { email } = await signUp();
    expect([await askAt(limited, email), await askAt(limited, email)]).toEqual([204, 429]);
    const link = await accountLinkTo(email);
    expect((await openLink(link, 'resetPassword', { newPassword: 'another horse' })).status).toBe(200);
  });
});
