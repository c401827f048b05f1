import { join } from 'node:path';
import { getApps, initializeApp, type AppOptions } from 'firebase-admin/app';
import { getFirestore, type Firestore } from 'firebase-admin/firestore';
import { loadBucket } from '../functions/src/backend-clients.ts';
import { createBackend, type Backend } from '../functions/src/backend.ts';
import { lazy } from '../functions/src/common/lazy.ts';
import { FEATURE_HOOKS } from '../functions/src/feature-hooks/registry.ts';
import { loadConfig } from '../functions/src/settings/config.ts';
import { usesAuthEmulator } from '../functions/src/settings/environment.ts';
import { googleTokens } from './google-token.ts';
import { ROOT } from './paths.ts';
import { defaultSettings, readSettingsFiles } from './settings-files.ts';
import { createGoogle } from './setup/google.ts';
import { serviceAccountOf } from './setup/steps/roles.ts';
import { findBucket } from './storage-bucket.ts';

/** The backend of a deployed project, or of emulators that environment variables name, for a script of an operator. */
export interface Deployment {
  backend: Backend;
  /** Terminate it at the end of the script. */
  firestore: Firestore;
}

/**
 * Opens the backend with the settings of functions/.env and functions/.env.<project id>, those of the environment, and
 * the application default credentials.
 *
 * @param values of settings that the script does not need, if they are set nowhere
 * @param bucket the name of the bucket; by default it is looked up when it is first needed
 */
export async function openDeployment(
  projectId: string,
  values: Readonly<Record<string, string>>,
  bucket?: string,
): Promise<Deployment> {
  const app = getApps()[0] ?? initializeApp(await appOptions(projectId));
  const config = loadConfig({
    ...defaultSettings(),
    ...values,
    ...readSettingsFiles(join(ROOT, 'functions'), ['.env', `.env.${projectId}`]).values,
    GCLOUD_PROJECT: projectId,
    ...process.env,
  });
  const open = async () => loadBucket(() => Promise.resolve(app), bucket ?? (await findBucket(projectId)));
  return {
    backend: { ...createBackend(config, FEATURE_HOOKS), bucket: lazy(open) },
    firestore: getFirestore(app),
  };
}

/**
 * Credentials of a person name no service account. The Admin SDK needs the one of the functions: this account signs
 * custom tokens, and Cloud Tasks calls the functions as this account. Most commands need neither, and run without it.
 */
async function appOptions(projectId: string): Promise<AppOptions> {
  if (usesAuthEmulator()) return { projectId };
  try {
    const google = createGoogle({ projectId, token: googleTokens() });
    return { projectId, serviceAccountId: await serviceAccountOf({ google, projectId }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`Google does not say which service account the functions of ${projectId} have. ${reason}`);
    console.error('Without it, impersonations fail, and syncs with Stripe wait for the reconciliation.');
    return { projectId };
  }
}
