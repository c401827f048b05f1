/**
 * Writes the default of each setting that neither `.env` nor `.env.<project id>` has to the latter. Runs before each
 * deployment of functions (`predeploy` in firebase.json): without a terminal the Firebase CLI refuses a deployment in
 * which a setting has no value in a file, even if the setting has a default. With a terminal it would ask for each.
 */
import { join } from 'node:path';
import { ROOT } from '../paths.ts';
import { defaultSettings } from '../settings-files.ts';
import { readSettings, writeSettings } from './steps/settings.ts';

/**
 * Writes the missing settings that have a default.
 *
 * @returns their names
 */
export function writeMissingSettings(folder: string, projectId: string): string[] {
  const current = readSettings(folder, projectId);
  const missing = Object.entries(defaultSettings()).filter(([name]) => current[name] === undefined);
  if (missing.length > 0) writeSettings(folder, projectId, Object.fromEntries(missing));
  return missing.map(([name]) => name);
}

if (import.meta.main) {
  // The Firebase CLI sets both.
  const { GCLOUD_PROJECT: projectId, RESOURCE_DIR: folder = join(ROOT, 'functions') } = process.env;
  if (projectId === undefined) throw new Error('GCLOUD_PROJECT must be the id of the project.');
  const names = writeMissingSettings(folder, projectId);
  if (names.length > 0)
    console.log(`Wrote the defaults of ${names.join(', ')} to functions/.env.${projectId}.`);
}
