import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { declaredParams } from 'firebase-functions/params';
import { expect, onTestFinished, test } from 'vitest';
import firebaseJson from '../../firebase.json' with { type: 'json' };
import '../../functions/src/settings/params.ts';
import { ROOT } from '../paths.ts';
import { defaultSettings } from '../settings-files.ts';

/** The parts of the Firebase CLI that find the values of a deployment without a terminal. */
interface Env {
  loadUserEnvs: (options: object) => Record<string, string>;
}
interface Params {
  resolveParams: (options: object) => Promise<{ paramValues: Record<string, { toString: () => string }> }>;
}
const require = createRequire(import.meta.url);
const { loadUserEnvs } = require('firebase-tools/lib/functions/env') as Env;
const { resolveParams } = require('firebase-tools/lib/deploy/functions/params') as Params;

const SET_UP = ['REGION="europe-west1"', 'APP_URL="https://app.example.com"', 'MAIL_FROM="a@example.com"'];

/** A folder with the file that `npm run setup` writes. */
function newFolder(lines: readonly string[] = SET_UP): string {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-settings-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, '.env.acme-1'), `${lines.join('\n')}\n`);
  return folder;
}

/** Runs what the CLI runs before it builds the functions. */
async function runFirstHook(folder: string): Promise<string> {
  const [command = ''] = firebaseJson.functions[0]?.predeploy ?? [];
  const env = { PROJECT_DIR: ROOT, RESOURCE_DIR: folder, GCLOUD_PROJECT: 'acme-1' };
  return (await execa({ shell: true, env })`${command}`).stdout;
}

/** The values with which the CLI deploys the functions without a terminal. */
async function deployedValues(folder: string): Promise<Record<string, string>> {
  const specs = (declaredParams as unknown as { toSpec: () => object }[]).map((param) => param.toSpec());
  const { paramValues } = await resolveParams({
    params: specs,
    firebaseConfig: { projectId: 'acme-1' },
    userEnvs: loadUserEnvs({ functionsSource: folder, projectDir: folder, projectId: 'acme-1' }),
    codebase: 'default',
    nonInteractive: true,
    // Secrets are looked up in Secret Manager otherwise.
    isEmulator: true,
  });
  return Object.fromEntries(Object.entries(paramValues).map(([name, value]) => [name, String(value)]));
}

test('a project that was only set up is deployed without a terminal, with the defaults', async () => {
  const folder = newFolder();
  await expect(deployedValues(folder)).rejects.toThrow('In non-interactive mode but have no value');
  expect(await runFirstHook(folder)).toMatch(
    /^Wrote the defaults of .*\bSESSION_DAYS\b.* to functions\/\.env\.acme-1\.$/,
  );
  expect(await deployedValues(folder)).toMatchObject({
    ...defaultSettings(),
    REGION: 'europe-west1',
    APP_URL: 'https://app.example.com',
  });
});

test('a setting of a newer release gets its default, and the other lines stay', async () => {
  const older = Object.entries({ ...defaultSettings(), SESSION_DAYS: '9' })
    .filter(([name]) => name !== 'API_MAX_INSTANCES')
    .map(([name, value]) => `${name}=${value}`);
  const folder = newFolder(['# ours', ...SET_UP.slice(1), ...older]);
  const before = readFileSync(join(folder, '.env.acme-1'), 'utf8');
  expect(await runFirstHook(folder)).toContain('API_MAX_INSTANCES');
  const after = readFileSync(join(folder, '.env.acme-1'), 'utf8');
  expect(after).toBe(`${before}API_MAX_INSTANCES="20"\n`);
  expect(await runFirstHook(folder)).toBe('');
});

test('a setting of the file for all projects is not written again', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, '.env'), 'SESSION_DAYS=9\n');
  await runFirstHook(folder);
  expect(await deployedValues(folder)).toMatchObject({ SESSION_DAYS: '9' });
});

test('a deployment does not choose the region, and says how a person does', async () => {
  const folder = newFolder(SET_UP.slice(1));
  await expect(runFirstHook(folder)).rejects.toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      /^functions\/\.env\.acme-1 has no REGION\. Run npm run setup -- --project acme-1 --region <region>\./,
    ) as unknown,
  });
  expect(readFileSync(join(folder, '.env.acme-1'), 'utf8')).toBe(`${SET_UP.slice(1).join('\n')}\n`);
});
