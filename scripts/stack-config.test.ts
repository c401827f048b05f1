import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './paths.ts';
import { DEFAULT_PROJECT, defaultConfig } from './stack-config.ts';

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
