import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { resolve } = createRequire(import.meta.url);

/** The emulators that our launcher stands in for. */
const REPLACED = ['firestore', 'storage'] as const;

/**
 * Fills the folder for FIREBASE_EMULATORS_PATH. The Firebase CLI downloads a JAR that is missing there and looks at
 * nothing but its presence, so empty files under the names that the installed CLI expects will do.
 */
export function prepareEmulatorFiles(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const infoFile = resolve('firebase-tools/lib/emulator/downloadableEmulatorInfo.json');
  const info = JSON.parse(readFileSync(infoFile, 'utf8')) as Record<
    (typeof REPLACED)[number],
    { downloadPathRelativeToCacheDir: string }
  >;
  for (const emulator of REPLACED) {
    writeFileSync(join(folder, info[emulator].downloadPathRelativeToCacheDir), '');
  }
  return folder;
}
