import { describe, expect, test } from 'vitest';
import { load, messageOf } from '../testing/load.ts';
import { SETTINGS } from './table.ts';

const PATHS = Object.values(SETTINGS).flatMap(({ name }) => (name.endsWith('_PATH') ? [name] : []));

describe.each(['APP_URL', 'STRIPE_API_URL'])('%s', (name) => {
  const key = name === 'APP_URL' ? 'appUrl' : 'stripeApiUrl';

  test.each([
    ['https://app.example.com/', 'https://app.example.com'],
    ['https://APP.example.com:8443', 'https://app.example.com:8443'],
    ['http://localhost:5000', 'http://localhost:5000'],
    ['http://127.0.0.1:5000', 'http://127.0.0.1:5000'],
    ['http://[::1]:5000', 'http://[::1]:5000'],
  ])('%s is the origin %s', (value, origin) => {
    expect(load({ [name]: value })[key]).toBe(origin);
  });

  test.each([
    'http://app.example.com',
    'http://localhost.example.com',
    'https://app.example.com/app',
    'https://app.example.com/?',
    'https://app.example.com/?a=b',
    'https://app.example.com/#',
    'https://user@app.example.com',
    'https://user:leaked@app.example.com',
    'https://:leaked@app.example.com',
    'app.example.com',
    'localhost:5000',
    'ftp://app.example.com',
    'javascript:alert(1)',
    '//app.example.com',
  ])('%s is refused', (value) => {
    const message = messageOf(() => load({ [name]: value }));
    expect(message).toContain(`  ${name}: `);
    expect(message).not.toContain('leaked');
  });
});

describe('REGION', () => {
  test.each(['us-central1', 'europe-west1', 'asia-northeast3', 'northamerica-northeast1', 'us-west10'])(
    '%s is a region',
    (value) => {
      expect(load({ REGION: value }).region).toBe(value);
    },
  );

  test.each(['us', 'eur3', 'nam5', 'US-CENTRAL1', 'us-central1-a', 'us-central', ' us-central1', '../x', ''])(
    '%j is refused',
    (value) => {
      expect(messageOf(() => load({ REGION: value }))).toContain('  REGION: ');
    },
  );
});

describe.each([
  ['OWN_ORIGINS', 'ownOrigins'],
  ['ALLOWED_ORIGINS', 'allowedOrigins'],
] as const)('%s', (name, key) => {
  test.each([
    ['none', []],
    ['https://a.example.com', ['https://a.example.com']],
    ['https://a.example.com,http://localhost:5173', ['https://a.example.com', 'http://localhost:5173']],
  ])('%s is %j', (value, origins) => {
    expect(load({ [name]: value })[key]).toEqual(origins);
  });

  test.each([
    '*',
    'null',
    'project',
    'https://*.example.com',
    'https://a.example.com/',
    'https://a.example.com/path',
    'https://A.example.com',
    'https://a.example.com:443',
    'http://a.example.com',
    'https://a.example.com, https://b.example.com',
    'https://a.example.com,',
    'https://a.example.com,none',
    'https://user@a.example.com',
  ])('%s is refused', (value) => {
    expect(messageOf(() => load({ [name]: value }))).toMatch(new RegExp(`^ {2}${name}(\\.\\d)?: `, 'm'));
  });
});

test.each(['capacitor://localhost', 'ionic://localhost'])(
  'the app origin %s is allowed, and is never our own',
  (origin) => {
    const value = `https://a.example.com,${origin}`;
    expect(load({ ALLOWED_ORIGINS: value }).allowedOrigins).toEqual(['https://a.example.com', origin]);
    expect(messageOf(() => load({ OWN_ORIGINS: origin }))).toMatch(/^ {2}OWN_ORIGINS/m);
  },
);

test.each([
  'capacitor://',
  'capacitor://localhost/',
  'capacitor://*',
  'file://localhost',
  'xcapacitor://localhost',
])('the app origin %s is refused', (origin) => {
  expect(messageOf(() => load({ ALLOWED_ORIGINS: origin }))).toMatch(/^ {2}ALLOWED_ORIGINS/m);
});

describe('HOSTING_SITES', () => {
  test.each([
    ['project', 'demo-hearth', ['demo-hearth']],
    ['project', undefined, []],
    ['project', 'example.com:old', []],
    ['none', 'demo-hearth', []],
    ['first,second-site', 'demo-hearth', ['first', 'second-site']],
  ])('%s in the project %s is %j', (value, projectId, sites) => {
    expect(load({ HOSTING_SITES: value, GCLOUD_PROJECT: projectId }).hostingSites).toEqual(sites);
  });

  test.each(['a.b', 'A', '-a', 'a-', 'a,,b', 'https://a.web.app', 'a, b', '*'])('%s is refused', (value) => {
    expect(messageOf(() => load({ HOSTING_SITES: value }))).toMatch(/^ {2}HOSTING_SITES(\.\d)?: /m);
  });
});

describe.each(PATHS)('%s', (name) => {
  test.each(['/', '/a/b', '/a?tab=1', '/%2f'])("%s is a path on the app's own origin", (value) => {
    const { origin } = new URL(value, 'https://app.example.com');
    expect(origin).toBe('https://app.example.com');
    expect(Object.values(load({ [name]: value }))).toContain(value);
  });

  test.each([
    '//evil.com',
    '/\\evil.com',
    '\\\\evil.com',
    '/a\\..\\b',
    '/\t/evil.com',
    '/\n/evil.com',
    ' /a',
    '/a b',
    '/a#fragment',
    'a',
    'https://evil.com',
    'javascript:alert(1)',
  ])('%j is refused', (value) => {
    expect(messageOf(() => load({ [name]: value }))).toContain(`  ${name}: `);
  });
});

describe('MAIL_SMTP_URL', () => {
  test.each(['extension', 'smtps://ann:secret@smtp.example.com', 'smtp://localhost:2525'])(
    '%s is accepted, and a line break after it is removed',
    (value) => {
      expect(load({ MAIL_SMTP_URL: `${value}\n` }).mailSmtpUrl).toBe(value);
    },
  );

  test.each(['none', 'Extension', 'https://leaked@smtp.example.com', 'smtp://ann:leaked@smtp.example.com/x'])(
    '%s is refused, and the message does not repeat it',
    (value) => {
      const message = messageOf(() => load({ MAIL_SMTP_URL: value }));
      expect(message).toContain('  MAIL_SMTP_URL: ');
      expect(message).not.toContain('leaked');
    },
  );
});

describe('MAIL_FROM', () => {
  test.each(['no-reply@example.com', 'Hearth <no-reply@example.com>', 'Müller & Co <no-reply@example.com>'])(
    '%s is a sender',
    (value) => {
      expect(load({ MAIL_FROM: value }).mailFrom).toBe(value);
    },
  );

  test.each([
    'Hearth',
    '<no-reply@example.com>',
    'a@example.com, b@example.com',
    'Hearth <a@example.com>, <b@example.com>',
    'a@b@example.com',
    'Hearth\nBcc: x <a@example.com>',
    'Hearth <a@example.com>\n',
    'team: Hearth <a@example.com>',
  ])('%j is refused', (value) => {
    expect(messageOf(() => load({ MAIL_FROM: value }))).toContain('  MAIL_FROM: ');
  });
});
