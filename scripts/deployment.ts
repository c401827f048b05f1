import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { getApps, initializeApp } from 'firebase-admin/app';
import { getFirestore, type Firestore } from 'firebase-admin/firestore';
import { createBackend, openBucket, type Backend } from '../functions/src/backend.ts';
import { lazy } from '../functions/src/common/lazy.ts';
import { HOOKS } from '../functions/src/personal-data/registry.ts';
import { loadConfig } from '../functions/src/settings/config.ts';
import type { Setting } from '../functions/src/settings/kinds.ts';
import { SETTINGS } from '../functions/src/settings/table.ts';
import { ROOT } from './paths.ts';
import { findBucket } from './storage-bucket.ts';

/** The backend of a deployed project, or of emulators that environment variables name, for a script of an operator. */
export interface Deployment {
  backend: Backend;
  /** Terminate it at the end of the script. */
  firestore: Firestore;
}

/**
 * Opens the backend with the settings of functions/.env and functions/.env.<project id>, those of the environment, and the
 * application default credentials.
 *
 * @param values of settings that the script does not need, if they are set nowhere
 * @param bucket the name of the bucket; by default it is looked up when it is first needed
 */
export function openDeployment(
  projectId: string,
  values: Readonly<Record<string, string>>,
  bucket?: string,
): Deployment {
  const app = getApps()[0] ?? initializeApp({ projectId });
  const config = loadConfig({
    ...defaults(),
    ...values,
    ...envFile('.env'),
    ...envFile(`.env.${projectId}`),
    GCLOUD_PROJECT: projectId,
    ...process.env,
  });
  const open = async () => openBucket(() => Promise.resolve(app), bucket ?? (await findBucket(projectId)));
  return { backend: { ...createBackend(config, HOOKS), bucket: lazy(open) }, firestore: getFirestore(app) };
}

/** The defaults that the Firebase CLI writes into the environment of a deployment. */
function defaults(): Record<string, string> {
  return Object.fromEntries(
    Object.values(SETTINGS).flatMap((setting: Setting) =>
      'default' in setting && setting.default !== undefined ? [[setting.name, String(setting.default)]] : [],
    ),
  );
}

function envFile(name: string): Record<string, string | undefined> {
  const file = join(ROOT, 'functions', name);
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}
