import type { Setting } from '../../../functions/src/settings/kinds.ts';
import { SETTINGS } from '../../../functions/src/settings/table.ts';
import { problemWith } from '../choose.ts';
import { unlessMissing, type Google } from '../google.ts';
import type { Finding, Step, Target } from '../step.ts';

/** The secrets that the functions need. */
export const SECRETS: readonly Setting[] = Object.values(SETTINGS).filter(
  ({ param }: Setting) => param === 'secret',
);

/** The secret that Stripe makes with the webhook endpoint. */
export const WEBHOOK_SECRET = SETTINGS.stripeWebhookSecret.name;

const MANAGER = 'secretmanager.googleapis.com/v1';

/** The newest version of a secret that is enabled. Undefined if there is none. */
export async function readSecret(
  google: Google,
  projectId: string,
  name: string,
): Promise<string | undefined> {
  const number = await newestVersion(google, projectId, name);
  if (number === undefined) return undefined;
  const path = `${MANAGER}/projects/${projectId}/secrets/${name}/versions/${number}:access`;
  const version = await google.get<{ payload: { data: string } }>(path);
  return Buffer.from(version.payload.data, 'base64').toString();
}

/** The number of the newest version that is enabled. Undefined if there is none. */
export async function newestVersion(
  google: Google,
  projectId: string,
  name: string,
): Promise<string | undefined> {
  const path = `${MANAGER}/projects/${projectId}/secrets/${name}/versions?filter=state:ENABLED&pageSize=1`;
  const { versions = [] } = (await unlessMissing(google.get<{ versions?: { name: string }[] }>(path))) ?? {};
  return versions[0]?.name.split('/').at(-1);
}

/** The problem with the newest version. A deployment refuses a secret whose newest version is not enabled. */
export async function newestProblem(
  { google, projectId }: Target,
  name: string,
): Promise<string | undefined> {
  const path = `${MANAGER}/projects/${projectId}/secrets/${name}/versions/latest`;
  const newest = await unlessMissing(google.get<{ name: string; state: string }>(path));
  if (newest === undefined || newest.state === 'ENABLED') return undefined;
  const number = newest.name.split('/').at(-1) ?? '';
  return `Version ${number} of the secret ${name} is ${newest.state.toLowerCase()}. It is the newest, so a deployment refuses the secret.`;
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
    for (const setting of SECRETS.filter((one) => one !== SETTINGS.stripeWebhookSecret)) {
      const finding = await secretFinding(target, setting);
      if (finding !== undefined) findings.push(finding);
    }
    return findings;
  },
};

async function secretFinding(target: Target, setting: Setting): Promise<Finding | undefined> {
  const { name } = setting;
  const stored = await readSecret(target.google, target.projectId, name);
  const given = target.secrets[name];
  const value = given ?? stored;
  const newest = await newestProblem(target, name);
  if (given === undefined && newest !== undefined) {
    const advice = `Enable this version, or set the environment variable ${name} and run npm run setup again.`;
    return { text: newest, advice };
  }
  if (value === undefined) {
    return {
      text: `The secret ${name} is not set.`,
      advice: `Set the environment variable ${name} and run npm run setup again.`,
    };
  }
  const problem = problemWith(setting, value);
  if (problem !== undefined) {
    return {
      text: `The secret ${name} ${problem}.`,
      advice: `Correct the environment variable ${name} and run npm run setup again.`,
    };
  }
  if (value === stored && newest === undefined) return undefined;
  return {
    text: newest ?? `Secret Manager has ${stored === undefined ? 'no' : 'another'} ${name}.`,
    action: `store the secret ${name}`,
    apply: () => writeSecret(target, name, value),
  };
}
