import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Setting } from '../../../functions/src/settings/kinds.ts';
import { SETTINGS } from '../../../functions/src/settings/table.ts';
import { unlessMissing, type Google } from '../google.ts';
import type { Finding, Step, Target } from '../step.ts';

const ALL: readonly Setting[] = Object.values(SETTINGS);

/** The secrets that the functions need. */
export const SECRETS = ALL.filter(({ param }) => param === 'secret').map(({ name }) => name);

/** The secret that Stripe makes with the webhook endpoint. */
export const WEBHOOK_SECRET = SETTINGS.stripeWebhookSecret.name;

export const settingsFile = (folder: string, projectId: string) => join(folder, `.env.${projectId}`);

/** The settings of a file. Empty if there is no file. */
export function readSettings(file: string): Record<string, string> {
  return existsSync(file) ? (parseEnv(readFileSync(file, 'utf8')) as Record<string, string>) : {};
}

/** The settings of the deployment. Lines that are right already, comments and other settings stay as they are. */
export const settingsStep: Step = {
  title: 'Settings',
  check: ({ settings, settingsFolder, projectId }) => {
    const file = settingsFile(settingsFolder, projectId);
    const current = readSettings(file);
    const wrong = Object.entries(settings).filter(([name, value]) => current[name] !== value);
    const findings: Finding[] = [...required(settings, current)];
    if (wrong.length > 0) {
      const names = wrong.map(([name]) => name).join(', ');
      findings.push({
        text: `functions/.env.${projectId} lacks or differs in ${names}.`,
        action: `write ${names} to functions/.env.${projectId}`,
        apply: () => {
          writeSettings(file, Object.fromEntries(wrong));
          return Promise.resolve();
        },
      });
    }
    return Promise.resolve(findings);
  },
};

/** Settings without a default that have no value. */
function required(given: Readonly<Record<string, string>>, current: Record<string, string>): Finding[] {
  return ALL.filter(({ param, default: value }) => param !== 'secret' && value === undefined)
    .filter(({ name }) => given[name] === undefined && current[name] === undefined)
    .map(({ name, values }) => ({
      text: `${name} is not set.`,
      advice: `Set the environment variable ${name} (${values}) and run npm run setup again.`,
    }));
}

function writeSettings(file: string, values: Record<string, string>): void {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const kept = lines.filter((line) => !Object.keys(values).some((name) => line.startsWith(`${name}=`)));
  const added = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  writeFileSync(file, `${[...kept, ...added].filter((line, at) => at > 0 || line !== '').join('\n')}\n`);
}

const MANAGER = 'secretmanager.googleapis.com/v1';

/** The latest version of a secret. Undefined if there is none. */
export async function readSecret(
  google: Google,
  projectId: string,
  name: string,
): Promise<string | undefined> {
  const path = `${MANAGER}/projects/${projectId}/secrets/${name}/versions/latest:access`;
  const version = await unlessMissing(google.get<{ payload: { data: string } }>(path));
  return version && Buffer.from(version.payload.data, 'base64').toString();
}

/** Adds a version to a secret, which is created if it does not exist. */
export async function writeSecret({ google, projectId }: Target, name: string, value: string): Promise<void> {
  const parent = `${MANAGER}/projects/${projectId}`;
  if ((await unlessMissing(google.get(`${parent}/secrets/${name}`))) === undefined) {
    // The Firebase CLI removes old versions of secrets with this label only.
    const body = { replication: { automatic: {} }, labels: { 'firebase-managed': 'functions' } };
    await google.post(`${parent}/secrets?secretId=${name}`, body);
  }
  const data = Buffer.from(value).toString('base64');
  await google.post(`${parent}/secrets/${name}:addVersion`, { payload: { data } });
}

/** The secrets that the operator gives. The webhook's own secret comes from Stripe. */
export const secretsStep: Step = {
  title: 'Secrets',
  check: async (target) => {
    const findings: Finding[] = [];
    for (const name of SECRETS.filter((one) => one !== WEBHOOK_SECRET)) {
      const finding = await secretFinding(target, name);
      if (finding !== undefined) findings.push(finding);
    }
    return findings;
  },
};

async function secretFinding(target: Target, name: string): Promise<Finding | undefined> {
  const stored = await readSecret(target.google, target.projectId, name);
  const given = target.secrets[name];
  if (stored !== undefined && (given === undefined || given === stored)) return undefined;
  if (given === undefined) {
    return {
      text: `The secret ${name} is not set.`,
      advice: `Set the environment variable ${name} and run npm run setup again.`,
    };
  }
  return {
    text: `Secret Manager has ${stored === undefined ? 'no' : 'another'} ${name}.`,
    action: `store the secret ${name}`,
    apply: () => writeSecret(target, name, given),
  };
}
