import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSettingsFiles, requireValidSettings, unknownSettings } from './settings-files.ts';

const WITHOUT_SENDER = {
  APP_URL: 'http://localhost:5000',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  MAIL_SMTP_URL: 'extension',
};
const VALID = { ...WITHOUT_SENDER, MAIL_FROM: 'Hearth <no-reply@hearth.example>' };

function settingsFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-settings-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('a later file replaces the values of an earlier one, and only files that exist are named', () => {
  const folder = settingsFolder({ '.env': 'REGION=a\nAPP_URL=b', '.env.local': 'REGION=c' });

  const { files, values } = readSettingsFiles(folder, ['.env', '.env.demo', '.env.local']);

  expect(files.map((file) => file.slice(file.lastIndexOf('/') + 1))).toEqual(['.env', '.env.local']);
  expect(values).toEqual({ REGION: 'c', APP_URL: 'b' });
});

test('settings that are valid with the defaults of all others are accepted', () => {
  expect(() => {
    requireValidSettings({ files: [], values: VALID });
  }).not.toThrow();
});

test('one error names every invalid setting and the files, but no values', () => {
  const values = { ...WITHOUT_SENDER, APP_URL: 'ftp://x', SESSION_DAYS: '99', UPLOAD_MEDIA: 'maybe' };

  let message = '';
  try {
    requireValidSettings({ files: ['functions/.env', 'functions/.env.local'], values });
  } catch (error) {
    message = String(error);
  }

  expect(message).toContain('settings are invalid');
  expect(message.match(/^ {2}\w+(?=: )/gm)?.map((name) => name.trim())).toEqual([
    'APP_URL',
    'SESSION_DAYS',
    'UPLOAD_MEDIA',
    'MAIL_FROM',
  ]);
  expect(message).toContain('MAIL_FROM: is not set');
  expect(message).toContain('functions/.env, functions/.env.local');
  expect(message).not.toContain('ftp://x');
});

test('an unknown setting is found, with the setting that was probably meant', () => {
  const values = { APP_URI: 'x', SESION_DAYS: '5', COLOR: 'red', APP_URL: 'y', NODE_OPTIONS: '' };

  expect(unknownSettings(values)).toEqual([
    { name: 'APP_URI', similar: 'APP_URL' },
    { name: 'SESION_DAYS', similar: 'SESSION_DAYS' },
    { name: 'COLOR', similar: undefined },
  ]);
});
