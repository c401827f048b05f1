import { googleTokens } from './google-token.ts';
import { emulatedBucket } from './project.ts';
import { createGoogle, type Google } from './setup/google.ts';
import { defaultBucket } from './setup/steps/places.ts';

interface Sources {
  environment: Readonly<Record<string, string | undefined>>;
  google: (projectId: string) => Pick<Google, 'get'>;
}

const SOURCES: Sources = {
  environment: process.env,
  google: (projectId) => createGoogle({ projectId, token: googleTokens() }),
};

/**
 * The name of the bucket that the functions of a project use. Older projects have `{id}.appspot.com`, newer ones
 * `{id}.firebasestorage.app`, so Google is asked. A wrong name would go unnoticed: deleting an object that does not
 * exist succeeds.
 *
 * @throws Error if the project has no default bucket, or the operator may not ask for it
 */
export async function findBucket(
  projectId: string,
  { environment, google }: Sources = SOURCES,
): Promise<string> {
  const config = JSON.parse(environment['FIREBASE_CONFIG'] ?? '{}') as { storageBucket?: string };
  if (config.storageBucket !== undefined) return config.storageBucket;
  if (environment['FIREBASE_STORAGE_EMULATOR_HOST'] !== undefined) return emulatedBucket(projectId);
  const advice = 'Name the bucket with --bucket.';
  try {
    const found = await defaultBucket({ projectId, google: google(projectId) });
    if (found !== undefined) return found;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Google does not say which bucket ${projectId} has. ${reason}\n${advice}`, {
      cause: error,
    });
  }
  throw new Error(`${projectId} has no default bucket. ${advice}`);
}
