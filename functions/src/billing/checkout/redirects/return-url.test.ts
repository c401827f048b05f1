import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../settings/config.ts';
import { TEST_SETTINGS } from '../../../testing/settings.ts';
import {
  stripeReturnUrlsForApiClient,
  isAppPageUrlAllowed,
  stripeReturnUrlForPortal,
  withStatus,
} from './return-url.ts';

const config = loadConfig({
  ...TEST_SETTINGS,
  APP_URL: 'https://app.example.com',
  OWN_ORIGINS: 'https://www.example.com',
  RETURN_URLS:
    'https://shop.example.com,https://shop.example.com:8443,myapp://paid,com.example.app://billing/done',
});

describe('a return URL is allowed', () => {
  test.each([
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/billing?a=b#c',
    'https://www.example.com/x',
    'https://shop.example.com?plan=pro',
    'https://shop.example.com#done',
    'https://shop.example.com:8443/x',
    'https://shop.example.com/@evil.com',
    'https://shop.example.com/x?to=https://evil.com',
    'myapp://paid',
    'myapp://paid?from=checkout',
    'com.example.app://billing/done',
  ])('%s', (address) => {
    expect(isAppPageUrlAllowed(config, address)).toBe(true);
  });
});

describe('a return URL is refused', () => {
  test.each([
    ['another origin', 'https://evil.com/'],
    ['an origin that begins with an allowed one', 'https://shop.example.com.evil.com/'],
    ['a longer label', 'https://shop.example.community/'],
    ['an origin that ends with an allowed one', 'https://evil-shop.example.com/'],
    ['a subdomain', 'https://a.shop.example.com/'],
    ['the parent domain', 'https://example.com/'],
    ['a user name', 'https://shop.example.com@evil.com/'],
    ['a user name and password', 'https://shop.example.com:8443@evil.com/'],
    ['a user name before the allowed host', 'https://user@shop.example.com/'],
    ['another port', 'https://shop.example.com:444/'],
    ['the default port', 'https://shop.example.com:443/'],
    ['an empty port', 'https://shop.example.com:/'],
    ['http', 'http://shop.example.com/'],
    ['a backslash', 'https://shop.example.com\\@evil.com/'],
    ['a backslash at the end of the host', 'https://shop.example.com\\.evil.com/'],
    ['a tab', 'https://shop.example.com\t.evil.com/'],
    ['a line break', 'https://shop.example.com\n.evil.com/'],
    ['a space before it', ' https://shop.example.com/'],
    ['a null byte', 'https://shop.example.com\0.evil.com/'],
    ['an encoded dot', 'https://shop.example.com%2eevil.com/'],
    ['a full-width dot', 'https://shop.example.com\u3002evil.com/'],
    ['a trailing dot', 'https://shop.example.com./'],
    ['capital letters', 'HTTPS://SHOP.EXAMPLE.COM/'],
    ['a missing scheme', '//shop.example.com/'],
    ['a path', '/billing'],
    ['one slash', 'https:/shop.example.com/'],
    ['no slash', 'https:shop.example.com'],
    ['three slashes', 'https:///shop.example.com/'],
    ['nothing', ''],
    ['javascript', 'javascript:alert(1)'],
    ['javascript with an allowed origin', 'javascript://shop.example.com/%0aalert(1)'],
    ['data', 'data:text/html,x'],
    ['a blob', 'blob:https://shop.example.com/1'],
    ['a wrapped origin', 'view-source:https://shop.example.com/'],
    ['another scheme', 'other://paid'],
    ['a scheme that begins with an allowed one', 'myapp2://paid'],
    ['an app address that begins with an allowed one', 'myapp://paid2'],
    ['a longer path of an app', 'myapp://paid/../other'],
    ['another URL of the app', 'myapp://other'],
    ['an app address with a user', 'myapp://x@paid'],
    ['an app address with a port', 'myapp://paid:1'],
    ['an app address with a fragment', 'myapp://paid#x'],
    ['the scheme of an app alone', 'myapp://'],
    ['a very long address', `https://shop.example.com/${'x'.repeat(1000)}`],
  ])('with %s', (_what, address) => {
    expect(isAppPageUrlAllowed(config, address)).toBe(false);
  });
});

test('without RETURN_URLS only own origins are allowed', () => {
  const own = loadConfig({ ...TEST_SETTINGS, APP_URL: 'https://app.example.com' });
  const allowed = ['https://app.example.com/a', 'none', 'none?x', 'myapp://paid', 'https://shop.example.com'];
  expect(allowed.filter((address) => isAppPageUrlAllowed(own, address))).toEqual([
    'https://app.example.com/a',
  ]);
});

const proven = { customer: 'u&1', proof: 'p' };
const [user, team] = [
  { type: 'user', customerId: 'u&1' },
  { type: 'team', customerId: 't1' },
] as const;

test('checkout and portal lead back through our routes, with the URL of the app', () => {
  const own = { returnProof: proven, appPageUrl: undefined };
  expect(
    stripeReturnUrlsForApiClient(config, team, { returnProof: proven, appPageUrl: 'myapp://paid?a=b' }),
  ).toEqual({
    success:
      'https://app.example.com/api/auth/return?customer=u%261&proof=p&to=myapp%3A%2F%2Fpaid%3Fa%3Db&session_id={CHECKOUT_SESSION_ID}',
    cancel: 'https://app.example.com/api/auth/return?to=myapp%3A%2F%2Fpaid%3Fa%3Db',
  });
  expect(stripeReturnUrlsForApiClient(config, user, own)).toEqual({
    success:
      'https://app.example.com/api/auth/return?customer=u%261&proof=p&session_id={CHECKOUT_SESSION_ID}',
    cancel: 'https://app.example.com/billing?checkout=cancelled',
  });
  expect(stripeReturnUrlsForApiClient(config, team, own).cancel).toBe(
    'https://app.example.com/billing?checkout=cancelled&team=t1',
  );
  expect(stripeReturnUrlForPortal(config, proven, { appPageUrl: undefined })).toBe(
    'https://app.example.com/api/auth/portal/return?customer=u%261&proof=p',
  );
  const afterChange = { appPageUrl: 'myapp://paid', changed: 'payment_method' } as const;
  expect(stripeReturnUrlForPortal(config, proven, afterChange)).toBe(
    'https://app.example.com/api/auth/portal/return?customer=u%261&proof=p&changed=payment_method&to=myapp%3A%2F%2Fpaid',
  );
});

test.each([
  ['myapp://paid', 'myapp://paid?checkout=success'],
  ['https://a.example/?x=1', 'https://a.example/?x=1&checkout=success'],
  ['https://a.example/#/billing', 'https://a.example/?checkout=success#/billing'],
])('the outcome is added to the query of %s', (to, expected) => {
  expect(withStatus(to, { checkout: 'success' })).toBe(expected);
});
