import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SETTINGS } from './testing/settings.ts';

/** Loads the deployed entry point in a process of its own, as Cloud Functions does. */
async function load(environment: Record<string, string>): Promise<{ code: number; output: string }> {
  const script = `const exports = await import(${JSON.stringify(new URL('index.ts', import.meta.url).href)});
    console.log(Object.keys(exports).sort().join(' '));`;
  const env = { PATH: process.env['PATH'] ?? '', GCLOUD_PROJECT: 'demo-hearth', ...environment };
  try {
    const options = { env };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      options,
    );
    return { code: 0, output: stdout.trim() };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, output: stderr };
  }
}

const EXPORTS = 'api cleanUpUser sweepAccounts sweepInvitations sweepUploads';

test('starts with its settings and exports the function, the triggers and the schedules', async () => {
  expect(await load(SETTINGS)).toEqual({ code: 0, output: EXPORTS });
});

test('is discovered by the CLI before any setting has a value', async () => {
  expect(await load({ FUNCTIONS_CONTROL_API: 'true' })).toEqual({ code: 0, output: EXPORTS });
});

test.each(['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY', 'APP_URL'] as const)(
  'does not start with %s missing or empty, and says which it is without telling others',
  async (name) => {
    const missing = Object.fromEntries(Object.entries(SETTINGS).filter(([key]) => key !== name));
    for (const settings of [missing, { ...missing, [name]: '' }, { ...missing, [name]: ' ' }]) {
      const { code, output } = await load(settings);
      expect(code).toBe(1);
      expect(output).toContain(`Hearth cannot start, its configuration is wrong:\n  ${name}: `);
      expect(output).not.toMatch(/sk_test_secret|whsec_secret/);
    }
  },
);
