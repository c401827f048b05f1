import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { invalidSettings } from '../../../functions/src/settings/config.ts';
import { SETTINGS } from '../../../functions/src/settings/table.ts';
import { defaultSettings, readSettingsFiles, unknownSettings } from '../../settings-files.ts';
import type { Finding, Step, Target } from '../step.ts';
import { SECRETS } from './secrets.ts';

const fileOf = (projectId: string) => `.env.${projectId}`;

/** The settings of the files that the Firebase CLI deploys: `.env` and `.env.<project id>`. */
export function readSettings(folder: string, projectId: string): Record<string, string> {
  return readSettingsFiles(folder, ['.env', fileOf(projectId)]).values;
}

/** The settings of the deployment. Lines that are right already, comments and other settings stay as they are. */
export const settingsStep: Step = {
  title: 'Settings',
  check: ({ settings, settingsFolder, projectId }) => {
    const current = readSettings(settingsFolder, projectId);
    const wrong = Object.entries(settings).filter(([name, value]) => current[name] !== value);
    const findings = problems(projectId, { ...current, ...settings });
    if (wrong.length > 0) {
      const names = wrong.map(([name]) => name).join(', ');
      findings.push({
        text: `functions/.env.${projectId} lacks or differs in ${names}.`,
        action: `write ${names} to functions/.env.${projectId}`,
        apply: () => {
          writeSettings(settingsFolder, projectId, Object.fromEntries(wrong));
          return Promise.resolve();
        },
      });
    }
    return Promise.resolve(findings);
  },
};

/** Values that the functions would refuse to start with, and names that nothing reads. */
function problems(projectId: string, values: Target['settings']): Finding[] {
  const secrets = SECRETS.map(({ name }) => name);
  const missing = `and run npm run setup again.`;
  const invalid = invalidSettings({ ...defaultSettings(), GCLOUD_PROJECT: projectId, ...values })
    .filter(({ name }) => !secrets.includes(name))
    .map(({ name, message }) => ({
      text: `${name} ${message}.`,
      advice:
        values[name] === undefined
          ? `Set the environment variable ${name}${valuesOf(name)} ${missing}`
          : `Correct it in functions/.env.${projectId}, and deploy.`,
    }));
  const unknown = unknownSettings(values).map(({ name, similar }) => ({
    text: `There is no setting ${name}.${similar === undefined ? '' : ` Did you mean ${similar}?`}`,
    advice: `Correct or remove it in functions/.env.${projectId}, and deploy.`,
  }));
  return [...invalid, ...unknown];
}

function valuesOf(wanted: string): string {
  const setting = Object.values(SETTINGS).find(({ name }) => name === wanted);
  return setting === undefined ? '' : ` (${setting.values})`;
}

/** Writes settings to `.env.<project id>`. Comments and other settings stay. */
export function writeSettings(folder: string, projectId: string, values: Record<string, string>): void {
  const file = join(folder, fileOf(projectId));
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const kept = lines.filter((line) => !Object.keys(values).some((name) => line.startsWith(`${name}=`)));
  const added = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  writeFileSync(file, `${[...kept, ...added].filter((line, at) => at > 0 || line !== '').join('\n')}\n`);
}
