import deployedFunctions from '../../deployed-functions.json' with { type: 'json' };
import type { Finding, Step, Target } from '../step.ts';
import { deployOnly } from './deploy-only.ts';
import { newestVersion, SECRETS } from './secrets.ts';

/** https://cloud.google.com/functions/docs/reference/rest/v2/projects.locations.functions */
export interface DeployedFunction {
  name: string;
  state?: string;
  createTime?: string;
  updateTime?: string;
  serviceConfig?: { secretEnvironmentVariables?: { secret: string; version: string }[] };
}

/** The functions of the project by their names. */
export async function listFunctions({
  google,
  projectId,
  region,
}: Target): Promise<Map<string, DeployedFunction>> {
  const path = `cloudfunctions.googleapis.com/v2/projects/${projectId}/locations/${region}/functions`;
  const functions = await google.list<DeployedFunction>(path, 'functions');
  return new Map(functions.map((one) => [one.name.split('/').at(-1) ?? '', one]));
}

/** The functions that the last tested build has, compared with those in the project. */
export const functionsStep: Step = {
  title: 'Functions',
  check: async (target) => {
    const functions = await listFunctions(target);
    const missing = Object.keys(deployedFunctions).filter((name) => functions.get(name)?.state !== 'ACTIVE');
    if (missing.length === 0) return [];
    const text = `These functions do not run in ${target.region}: ${missing.join(', ')}.`;
    return [{ text, advice: deployOnly('functions', target.projectId) }];
  },
};

/** A deployment binds the newest version of each secret to the functions, which keep it until the next one. */
export const secretVersionsStep: Step = {
  title: 'Secrets of the functions',
  check: async (target) => {
    const functions = [...(await listFunctions(target)).values()];
    if (functions.length === 0) return [];
    const findings: Finding[] = [];
    for (const { name } of SECRETS) {
      const newest = await newestVersion(target.google, target.projectId, name);
      const older = functions.filter((one) => isOlder(one, name, newest));
      if (older.length === 0) continue;
      findings.push({
        text: `${older.length} functions do not use version ${newest ?? ''} of the secret ${name}, which is the newest.`,
        advice: `Deploy again, from the commit that is deployed: npm run deploy -- --project ${target.projectId} --only functions`,
      });
    }
    return findings;
  },
};

function isOlder({ serviceConfig }: DeployedFunction, name: string, newest: string | undefined): boolean {
  const bound = serviceConfig?.secretEnvironmentVariables?.find(({ secret }) => secret === name);
  return (
    bound !== undefined && newest !== undefined && bound.version !== newest && bound.version !== 'latest'
  );
}
