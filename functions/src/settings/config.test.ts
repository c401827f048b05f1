import { describe, expect, expectTypeOf, test } from 'vitest';
import { load, messageOf } from '../testing/load.ts';
import { loadConfig, parseConfig, type Config } from './config.ts';
import { SETTINGS } from './table.ts';

const NAMES = Object.values(SETTINGS).map(({ name }) => name);
const SECRETS = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'];

test('a complete environment is converted to typed values', () => {
  expect(load({})).toMatchObject({
    appUrl: 'https://app.example.com',
    sessionDays: 5,
    uploadRequiresAuth: true,
    uploadVerifiedOnly: true,
    uploadMaxBytes: 10_485_760,
    stripeSecretKey: 'sk_test_secret',
  });
  expect(load({ UPLOAD_REQUIRES_AUTH: 'false' }).uploadRequiresAuth).toBe(false);
  expect(load({ UPLOAD_VERIFIED_ONLY: 'false' }).uploadVerifiedOnly).toBe(false);
});

describe.each(NAMES)('%s', (name) => {
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['only whitespace', '  \n'],
  ])('is the only setting in the error message when it is %s', (_case, value) => {
    const message = messageOf(() => load({ [name]: value }));
    expect(message).toContain(`  ${name}: `);
    expect(NAMES.filter((other) => message.includes(`  ${other}: `))).toEqual([name]);
  });
});

test('a missing setting is reported as not set', () => {
  expect(messageOf(() => load({ SESSION_DAYS: undefined }))).toBe(
    'The backend cannot start because its configuration is invalid:\n  SESSION_DAYS: is not set',
  );
});

test('the message for a number contains its range', () => {
  expect(messageOf(() => load({ SESSION_DAYS: '15' }))).toContain(
    'SESSION_DAYS: must be a whole number from 1 to 14',
  );
});

test('Config has the precise type of each setting', () => {
  expectTypeOf<Config['sessionDays']>().toEqualTypeOf<number>();
  expectTypeOf<Config['uploadMedia']>().toEqualTypeOf<boolean>();
  expectTypeOf<Config['appUrl']>().toEqualTypeOf<string>();
  expectTypeOf<Config['stripeSecretKey']>().toEqualTypeOf<string>();
  expectTypeOf<Config['ownOrigins']>().toEqualTypeOf<string[]>();
  expectTypeOf<Config['imageSizes']>().toEqualTypeOf<number[]>();
  expectTypeOf<Config['seatProration']>().toEqualTypeOf<'create_prorations' | 'always_invoice' | 'none'>();
});

test('one message lists every invalid setting and contains no values', () => {
  const values = Object.fromEntries(NAMES.map((name) => [name, ` leaked-${name.toLowerCase()}`]));
  const message = messageOf(() =>
    loadConfig({ ...values, STRIPE_SECRET_KEY: ' ', STRIPE_WEBHOOK_SECRET: undefined }),
  );
  for (const name of NAMES) expect(message).toContain(`  ${name}: `);
  expect(message).not.toContain('leaked');
});

test('an unknown key is refused, and the message contains no values', () => {
  const message = messageOf(() => parseConfig({ stripeSecretKey: 'sk_leaked', extra: 'leaked' }));
  expect(message).toContain('extra');
  expect(message).not.toContain('leaked');
});

test.each(SECRETS)('a line break after %s is removed', (name) => {
  const config = load({ [name]: 'sk_value\n' });
  expect([config.stripeSecretKey, config.stripeWebhookSecret]).toContain('sk_value');
});

describe('values of the wrong form', () => {
  test.each([
    ['UPLOAD_MAX_BYTES', '0'],
    ['UPLOAD_MAX_BYTES', '-1'],
    ['UPLOAD_MAX_BYTES', '10.5'],
    ['UPLOAD_MAX_BYTES', '"10"'],
    ['UPLOAD_MAX_BYTES', '10MB'],
    ['UPLOAD_MAX_BYTES', '0x10'],
    ['UPLOAD_MAX_BYTES', '1e6'],
    ['UPLOAD_MAX_BYTES', ' 10'],
    ['UPLOAD_MAX_BYTES', 'Infinity'],
    ['UPLOAD_MAX_BYTES', String(31 * 1024 * 1024 + 1)],
    ['UPLOAD_MAX_BYTES', '9'.repeat(30)],
    ['SESSION_DAYS', '0'],
    ['SESSION_DAYS', '15'],
    ['INVITATION_DAYS', '0'],
    ['INVITATION_DAYS', '91'],
    ['APP_CHECK_REQUIRED', 'yes'],
    ['INVITATIONS_PER_RECIPIENT_PER_DAY', '0'],
    ['INVITATION_PAUSE_MINUTES', '-1'],
    ['INVITATION_PAUSE_MINUTES', '1441'],
    ['ANONYMOUS_TEAMS', 'yes'],
    ['PREVIEW_CHANNELS', 'yes'],
    ['TEAM_LIMIT', '0'],
    ['TEAM_LIMIT', '10001'],
    ['ANONYMOUS_UPLOAD_HOURS', '0'],
    ['ANONYMOUS_UPLOAD_HOURS', '8761'],
    ['IMAGE_SIZES', 'on'],
    ['IMAGE_SIZES', '200, 800'],
    ['IMAGE_SIZES', '200,'],
    ['IMAGE_SIZES', '15'],
    ['IMAGE_SIZES', '4097'],
    ['IMAGE_SIZES', '100,200,300,400,500,600'],
    ['UPLOAD_MEDIA', 'mp4'],
    ['TRIAL_DAYS', '-1'],
    ['TRIAL_DAYS', '731'],
    ['PAST_DUE_GRACE_DAYS', '91'],
    ['SEAT_PRORATION', 'always'],
    ['PROMOTION_CODES', 'yes'],
    ['AUTOMATIC_TAX', '1'],
    ['COLLECT_ADDRESS', 'True'],
    ['UPLOAD_VERIFIED_ONLY', 'no'],
    ['UPLOAD_REQUIRES_AUTH', 'yes'],
    ['UPLOAD_REQUIRES_AUTH', 'TRUE'],
    ['UPLOAD_REQUIRES_AUTH', '1'],
    ['IOS_APP_IDS', 'com.example.app'],
    ['IOS_APP_IDS', 'abcde12345.com.example.app'],
    ['ANDROID_PACKAGES', 'app'],
    ['ANDROID_PACKAGES', 'com.example.1app'],
    ['ANDROID_FINGERPRINTS', 'AB:CD'],
    ['APP_LINK_PATHS', '//evil.example'],
  ])('%s=%s is refused', (name, value) => {
    expect(messageOf(() => load({ [name]: value }))).toMatch(new RegExp(`^ {2}${name}(\\.0)?: `, 'm'));
  });

  test.each(['10', 10.5, '10.5', 0, -1, Number.NaN, 31 * 1024 * 1024 + 1, null])(
    'an upload limit of %j in code is refused',
    (uploadMaxBytes) => {
      expect(messageOf(() => parseConfig({ ...load({}), uploadMaxBytes }))).toContain('UPLOAD_MAX_BYTES');
    },
  );

  test.each([
    ['off', []],
    ['200', [200]],
    ['200,800', [200, 800]],
  ])('IMAGE_SIZES=%s is %j', (text, widths) => {
    expect(load({ IMAGE_SIZES: text }).imageSizes).toEqual(widths);
  });

  const fingerprint = Array(32).fill('ab').join(':');

  test.each([{ ANDROID_PACKAGES: 'com.example.app' }, { ANDROID_FINGERPRINTS: fingerprint }])(
    'an app for Android without its package or certificate is refused: %j',
    (settings) => {
      expect(messageOf(() => load(settings))).toContain('  ANDROID_FINGERPRINTS: must be set together');
    },
  );

  test('apps on phones are named by their ids, and fingerprints are upper case', () => {
    const settings = {
      IOS_APP_IDS: 'ABCDE12345.com.example.app,ABCDE12345.com.example.beta',
      ANDROID_PACKAGES: 'com.example.app',
      ANDROID_FINGERPRINTS: fingerprint,
    };
    expect(load(settings)).toMatchObject({
      iosAppIds: ['ABCDE12345.com.example.app', 'ABCDE12345.com.example.beta'],
      androidPackages: ['com.example.app'],
      androidFingerprints: [fingerprint.toUpperCase()],
      appLinkPaths: [],
    });
  });

  test('the largest upload limit leaves room for the multipart framing in a request of 32 MiB', () => {
    expect(load({ UPLOAD_MAX_BYTES: String(31 * 1024 * 1024) }).uploadMaxBytes).toBe(32_505_856);
  });
});

test('the message for an invalid plan contains its position and field', () => {
  const { plans, ...rest } = load({});
  const [free, ...others] = plans;
  expect(messageOf(() => parseConfig({ ...rest, plans: [] }))).toContain('  plans');
  expect(
    messageOf(() => parseConfig({ ...rest, plans: [free, { ...others[0], slug: 'No Slug' }] })),
  ).toContain('  plans.1.slug: ');
});
