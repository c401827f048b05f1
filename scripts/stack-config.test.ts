import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import firebaseJson from '../firebase.json' with { type: 'json' };
import { FUNCTIONS, ROOT } from './paths.ts';
import { DEFAULT_PROJECT, defaultConfig, isolatedConfig, isolatedSettings } from './stack-config.ts';

test('the CLI of npm start reads a copy of the settings, in a temporary folder that only this stack uses', () => {
  const config = defaultConfig(DEFAULT_PROJECT, false);
  onTestFinished(config.dispose);
  const { functions } = JSON.parse(readFileSync(config.configFile, 'utf8')) as {
    functions: { configDir: string }[];
  };

  const folder = resolve(ROOT, functions[0]?.configDir ?? '');

  expect(readFileSync(join(folder, `.env.${DEFAULT_PROJECT}`), 'utf8')).toContain(
    'APP_URL="http://localhost:5000"',
  );
  expect(config.env['TMPDIR']).toBe(folder);
  config.dispose();
  expect(existsSync(folder)).toBe(false);
});

test('the app of npm start is at the port of Hosting', () => {
  const changed = { ...firebaseJson, emulators: { ...firebaseJson.emulators, hosting: { port: 5005 } } };
  const config = defaultConfig(DEFAULT_PROJECT, false, undefined, changed);
  onTestFinished(config.dispose);
  expect(config.appUrl).toBe('http://localhost:5005');
  // The service accepts sign-ins of this origin only.
  expect(config.parameters['APP_URL']).toBe('http://localhost:5005');
});

test('another APP_URL stays, whatever the port of Hosting is', () => {
  const config = defaultConfig(
    projectWith('APP_URL=https://tunnel.example.com\nMAIL_FROM=a@example.com\n'),
    false,
  );
  onTestFinished(config.dispose);
  expect(config.appUrl).toBe('https://tunnel.example.com');
});

/** A project with a settings file of its own. @returns its id */
function projectWith(settings: string): string {
  const projectId = `demo-settings-${randomUUID().slice(0, 8)}`;
  const file = join(FUNCTIONS, `.env.${projectId}`);
  writeFileSync(file, settings);
  onTestFinished(() => {
    rmSync(file);
  });
  return projectId;
}

test('a stack on free ports reads the settings of its project, and those of the local stack for the rest', async () => {
  const projectId = projectWith('SESSION_DAYS=3\nSESION_DAYS=4\nAPP_URL=https://app.example.com\n');

  const { files, values } = isolatedSettings(projectId);
  const config = await isolatedConfig(projectId, false);
  onTestFinished(config.dispose);

  expect(files.filter((file) => file !== 'functions/.env')).toEqual([
    `functions/.env.${DEFAULT_PROJECT}`,
    `functions/.env.${projectId}`,
    'functions/.secret.local.example',
  ]);
  expect(values).toMatchObject({
    SESSION_DAYS: '3',
    SESION_DAYS: '4',
    MAIL_SMTP_URL: expect.any(String) as string,
  });
  expect(config.parameters).toMatchObject({
    SESSION_DAYS: '3',
    APP_URL: config.appUrl,
    SEAT_WINDOW_SECONDS: '0',
  });
  expect(config.appUrl).toBe(`http://localhost:${config.ports.hosting}`);
});

test('a stack of tests has no settings of the files of its project', async () => {
  const projectId = projectWith('MAIL_LANGUAGE=de\nTRIAL_DAYS=14\n');
  const parameters = { MAIL_FROM: 'no-reply@app.example' };
  const config = await isolatedConfig(projectId, false, { settingsFiles: false, parameters });
  onTestFinished(config.dispose);
  expect(config.parameters).toEqual({
    ...parameters,
    APP_URL: config.appUrl,
    STRIPE_API_URL: `http://127.0.0.1:${config.ports.stripe}`,
  });
});

test('a stack on free ports does not start with an invalid setting', async () => {
  const projectId = projectWith('SESSION_DAYS=never\n');

  await expect(isolatedConfig(projectId, false)).rejects.toThrow(
    new RegExp(`SESSION_DAYS: [^]*functions/\\.env\\.${projectId}`),
  );
});
