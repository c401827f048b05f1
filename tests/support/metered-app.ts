import { beforeAll } from 'vitest';
import { serveApp, type AppUnderTest } from './app.ts';
import { meterFirestore, type MeteredFirestore } from './cost.ts';
import { useResources } from './resources.ts';

/** An app with a Firestore of its own. Both are empty objects until the tests of the file begin. */
export interface MeteredApp {
  readonly app: AppUnderTest;
  readonly firestore: MeteredFirestore;
}

/**
 * Serves the app with a Firestore of this test file, which counts its operations.
 *
 *     const { app, firestore } = useMeteredApp();
 */
export function useMeteredApp(): MeteredApp {
  const resources = useResources();
  const metered = { app: {}, firestore: {} } as MeteredApp;
  beforeAll(async () => {
    Object.assign(metered.firestore, resources.use(await meterFirestore()));
    Object.assign(metered.app, resources.use(await serveApp()));
  });
  return metered;
}
