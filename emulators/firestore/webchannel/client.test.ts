import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { initializeApp } from 'firebase/app';
import type * as Sdk from 'firebase/firestore';
import { test } from 'vitest';
import { clientScenarios } from '../client-scenarios.ts';

/** Node resolves to a build that speaks gRPC; the browsers' build runs in Node too. */
async function loadBrowserBuild(): Promise<typeof Sdk> {
  // `@firebase/firestore` is a package of `firebase`, which alone is declared.
  const firebase = createRequire(import.meta.url).resolve('firebase/package.json');
  const folder = path.dirname(createRequire(firebase).resolve('@firebase/firestore'));
  return (await import(pathToFileURL(path.join(folder, 'index.esm.js')).href)) as typeof Sdk;
}

test.each(clientScenarios)("the browsers' client SDK over WebChannel %s", async (_name, scenario) => {
  await scenario({ sdk: await loadBrowserBuild(), initializeApp });
});
