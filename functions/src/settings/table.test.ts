import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { declaredParams } from 'firebase-functions/params';
import { describe, expect, test } from 'vitest';
import { TEST_SETTINGS } from '../testing/settings.ts';
import { loadConfig } from './config.ts';
import type { Setting } from './kinds.ts';
import { secrets } from './params.ts';
import { SETTINGS, SETTING_GROUPS } from './table.ts';

const ENTRIES: [key: string, setting: Setting][] = Object.entries(SETTINGS);
const NAMES = ENTRIES.map(([, { name }]) => name);
const FUNCTIONS = join(import.meta.dirname, '../..');

describe.each(ENTRIES)('%s', (key, setting) => {
  test('is named like its environment variable', () => {
    expect(setting.name).toBe(key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
  });

  test('has a description of at most 30 words', () => {
    expect(setting.description).toMatch(/^[A-Z].*[^.]$/);
    expect(setting.description.split(' ').length).toBeLessThanOrEqual(30);
  });
});

test('every setting belongs to exactly one group', () => {
  const grouped = Object.values(SETTING_GROUPS).flatMap((group) => Object.keys(group));
  expect(grouped.toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
});

test('all defaults together are a valid configuration', () => {
  expect(loadConfig(TEST_SETTINGS)).toMatchObject({
    sessionDays: 5,
    imageSizes: [],
    uploadRequiresAuth: true,
  });
});

test('only the origin, the sender and the secrets are required', () => {
  const required = ENTRIES.filter(([, setting]) => setting.default === undefined).map(([key]) => key);
  expect(required).toEqual(['appUrl', 'stripeSecretKey', 'stripeWebhookSecret', 'mailFrom', 'mailSmtpUrl']);
});

/** A declared param. Its method that describes it to the CLI is missing from the published types. */
interface DeclaredParam {
  toSpec: () => { name: string };
}

test('the Firebase CLI learns name, type, default and description of every setting', () => {
  const declared = declaredParams as unknown as DeclaredParam[];
  const specs = declared.map((param) => param.toSpec()).filter(({ name }) => NAMES.includes(name));
  const wanted = ENTRIES.map(([, { name, param, default: value, description }]) => ({
    name,
    type: { string: 'string', integer: 'int', boolean: 'boolean', secret: 'secret' }[param],
    description,
    ...(value !== undefined && { default: value }),
  }));
  expect(specs).toEqual(wanted);
  expect(secrets.map(({ name }) => name)).toEqual([
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'MAIL_SMTP_URL',
  ]);
});

test.each(['.env.demo-hearth', '.secret.local.example'])('%s sets no unknown setting', (file) => {
  expect(existsSync(join(FUNCTIONS, file))).toBe(true);
  const names = Object.keys(parseEnv(readFileSync(join(FUNCTIONS, file), 'utf8')));
  expect(names.filter((name) => !NAMES.includes(name))).toEqual([]);
});
