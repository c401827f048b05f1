import { beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { connect } from '../examples/react-native/src/backend.ts';
import { messageOf, outcomeOf, Shop } from '../examples/react-native/src/shop.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { signUp } from './support/people.ts';
import { useResources } from './support/resources.ts';

/** The phone app without its screens. */
let app: AppUnderTest;
let shop: Shop;
const opened: string[] = [];

const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp({ config: { returnUrls: ['myapp://paid'] } }));
  const { projectId, urls } = inject('stack');
  const backend = connect({
    hearthUrl: app.url,
    firebase: { apiKey: 'demo', projectId },
    authEmulator: urls.auth,
  });
  shop = new Shop({ ...backend, openPage: (url) => Promise.resolve(opened.push(url)) });
});

test('the phone app signs in, shows what a user can buy, opens the payment page, and signs out', async () => {
  const { email, password } = await signUp();
  await shop.signIn(email, password);
  const { current, plans } = await shop.offers();
  expect(current).toBe('free');
  expect(plans.map(({ slug }) => slug)).toContain('pro');
  await shop.buy('pro');
  expect(opened).toEqual([expect.stringContaining('/c/pay/')]);
  await shop.signOut();
  expect((await shop.offers()).current).toBe('');
});

test('the phone app shows the message of a refusal', async () => {
  const message = await shop.buy('pro').then(() => '', messageOf);
  expect(message).not.toBe('');
  expect(message).not.toBe(messageOf(undefined));
});

/** The parameters of React Native up to 0.79. */
class OldSearchParams {
  get(): string {
    throw new Error('URLSearchParams.get is not implemented');
  }
}

test.each([
  ['myapp://paid?checkout=success', 'Thank you'],
  ['myapp://paid?checkout=pending', 'Your payment is being processed'],
  ['myapp://paid?checkout=cancelled', 'Nothing was charged'],
  ['myapp://paid?plan=pro&checkout=success', 'Thank you'],
  ['myapp://paid?xcheckout=success', 'Nothing was charged'],
  ['myapp://paid', undefined],
  ['myapp://paidx?checkout=success', undefined],
  ['https://evil.example/?checkout=success', undefined],
  [null, undefined],
])('the phone app understands the link %s as: %s', (link, outcome) => {
  vi.stubGlobal('URLSearchParams', OldSearchParams);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(outcomeOf(link)).toBe(outcome);
});
