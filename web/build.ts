import { readProviders } from '@hearth/shared/sign-in-providers';
import { build, loadEnv } from 'vite';
import firebaseJson from '../firebase.json' with { type: 'json' };
import { removeStaleFiles } from '../scripts/stale-files.ts';
import { assertReaches } from './app-check-policy.ts';

/** Builds web/dist (see vite.config.ts). */
const folder = import.meta.dirname;

const policy = firebaseJson.hosting.headers
  .flatMap(({ headers }) => headers)
  .find(({ key }) => key === 'Content-Security-Policy');
const variables = loadEnv('production', folder);
assertReaches(policy?.value ?? '', variables['VITE_APP_CHECK_SITE_KEY']);
readProviders(variables['VITE_SIGN_IN_PROVIDERS'], 'VITE_SIGN_IN_PROVIDERS');

const result = await build({
  configFile: `${folder}/vite.config.ts`,
  logLevel: 'warn',
}).catch(fail);
if ('output' in result) {
  const written = result.output.map(({ fileName }) => `dist/${fileName}`);
  await removeStaleFiles(`${folder}/dist/assets`, folder, written);
}

/** Prints the mistakes in the sources with their places, without Vite's own stack, and ends with exit code 1. */
function fail(error: Error): never {
  if (!('errors' in error)) throw error;
  console.error(error.message);
  process.exit(1);
}
