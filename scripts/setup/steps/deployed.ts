import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../paths.ts';
import type { Finding, Step } from '../step.ts';
import { deployNamed, deployOnly } from './deploy-only.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const RULES = 'firebaserules.googleapis.com/v1';

/** https://firebase.google.com/docs/reference/rules/rest */
export const rulesStep: Step = {
  title: 'Rules',
  check: async ({ google, projectId }) => {
    const releases = await google.list<{ name: string; rulesetName: string }>(
      `${RULES}/projects/${projectId}/releases`,
      'releases',
    );
    const findings: Finding[] = [];
    for (const [service, file, part] of [
      ['cloud.firestore', 'firestore.rules', 'firestore:rules'],
      ['firebase.storage', 'storage.rules', 'storage'],
    ] as const) {
      const release = releases.find(({ name }) => name.includes(`/releases/${service}`));
      const ruleset =
        release &&
        (await google.get<{ source: { files: { content: string }[] } }>(`${RULES}/${release.rulesetName}`));
      if (ruleset?.source.files[0]?.content === read(file)) continue;
      const text =
        release === undefined ? `${file} is not deployed.` : `The deployed rules are not those of ${file}.`;
      findings.push({ text, advice: deployOnly(part, projectId) });
    }
    return findings;
  },
};

/** The app answers at its public address. */
export const addressStep: Step = {
  title: 'Address of the app',
  check: async ({ appUrl, projectId }) => {
    const url = `${appUrl}/api/health`;
    const outcome = await problemAt(url);
    if (outcome === undefined) return [];
    const hosting = `https://console.firebase.google.com/project/${projectId}/hosting`;
    const advice =
      outcome === FORBIDDEN ? closed(projectId) : `Connect the domain to Hosting and deploy: ${hosting}`;
    return [{ text: `${url} ${outcome}.`, advice }];
  },
};

const FORBIDDEN = 'answers 403';

/** Cloud Run refuses all callers, because the deployment could not make the function public. */
const closed = (projectId: string) =>
  `Google may not let everybody call api. ${deployNamed(['api'], projectId)} If it cannot set the invoker, the ` +
  'organization restricts sharing to its domain. docs/operations.md, Domain restricted sharing, has two ways out.';

/** The difference between an answer and that of `/api/health`, in words. */
async function problemAt(url: string): Promise<string | undefined> {
  const response = await fetch(url).catch(() => undefined);
  if (response === undefined) return 'cannot be reached';
  if (response.status !== 200) return `answers ${response.status}`;
  const body: unknown = await response.json().catch(() => undefined);
  const isHealthy = typeof body === 'object' && body !== null && 'status' in body && body.status === 'ok';
  return isHealthy ? undefined : 'does not answer as this service does';
}
