/**
 * Writes the default of each setting that neither `.env` nor `.env.<project id>` has to the latter. Runs before each
 * deployment of functions (`predeploy` in firebase.json): without a terminal the Firebase CLI refuses a deployment in
 * which a setting has no value in a file, even if the setting has a default. With a terminal it would ask for each.
 *
 * The region is an exception: a database and a bucket cannot be moved, so a deployment must not choose their region.
 */
import { join } from 'node:path';
import { DEFAULT_REGION, SETTINGS } from '../../functions/src/settings/table.ts';
import { ROOT } from '../paths.ts';
import { defaultSettings } from '../settings-files.ts';
import { readSettings, writeSettings } from './steps/settings.ts';

/**
 * Writes the missing settings that have a default.
 *
 * @returns their names
 * @throws Error if no file has the region
 */
export function writeMissingSettings(folder: string, projectId: string): string[] {
  const current = readSettings(folder, projectId);
  if (current[SETTINGS.region.name] === undefined) throw new Error(noRegion(projectId));
  const missing = Object.entries(defaultSettings()).filter(([name]) => current[name] === undefined);
  if (missing.length > 0) writeSettings(folder, projectId, Object.fromEntries(missing));
  return missing.map(([name]) => name);
}

const noRegion = (projectId: string) =>
  [
    `functions/.env.${projectId} has no REGION. Run npm run setup -- --project ${projectId} --region <region>.`,
    `If functions run already, write their region there: without this line they ran in ${DEFAULT_REGION}.`,
  ].join(' ');

function main(): void {
  // The Firebase CLI sets both.
  const { GCLOUD_PROJECT: projectId, RESOURCE_DIR: folder = join(ROOT, 'functions') } = process.env;
  if (projectId === undefined) throw new Error('GCLOUD_PROJECT must be the id of the project.');
  const names = writeMissingSettings(folder, projectId);
  if (names.length > 0)
    console.log(`Wrote the defaults of ${names.join(', ')} to functions/.env.${projectId}.`);
}

if (import.meta.main) {
  try {
    main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
