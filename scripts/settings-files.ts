import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import leven from 'leven';
import { invalidSettings } from '../functions/src/settings/config.ts';
import { SETTINGS } from '../functions/src/settings/table.ts';
import { ROOT } from './paths.ts';
import { SETUP_SETTINGS } from './setup/setup-settings.ts';

/** The settings that a stack runs with, and the files that they come from. */
export interface SettingsFiles {
  /**
   * Relative to the repository, in the order in which they are read. A later file replaces values of an earlier one.
   */
  files: string[];
  values: Record<string, string>;
}

/** A name in a settings file that is no setting. */
export interface UnknownSetting {
  name: string;
  /** A setting with a similar name. */
  similar: string | undefined;
}

/** Maximum number of different letters for which one name counts as a misspelling of another. */
const MISSPELT_LETTERS = 3;

/** Variables that no setting names, and that the functions' runtime or the Admin SDK read. */
const OTHER_VARIABLES = /^(?:NODE_|GOOGLE_|GCLOUD_|FIREBASE_|FIRESTORE_|OTEL_|TZ$|DEBUG$)/;

/** Reads the existing files. */
export function readSettingsFiles(folder: string, names: readonly string[]): SettingsFiles {
  const files = names.map((name) => join(folder, name)).filter((file) => existsSync(file));
  return {
    files: files.map((file) => relative(ROOT, file)),
    values: Object.assign({}, ...files.map(readEnvFile)) as Record<string, string>,
  };
}

/** The variables of one file; none if it does not exist. */
export function readEnvFile(file: string): Record<string, string> {
  return existsSync(file) ? (parseEnv(readFileSync(file, 'utf8')) as Record<string, string>) : {};
}

/**
 * Validates the settings as the functions do when they start. A setting that is in no file has its default.
 *
 * @throws Error that lists every invalid setting and the files that were read
 */
export function requireValidSettings({ files, values }: SettingsFiles): void {
  const problems = invalidSettings({ ...defaultSettings(), ...values });
  if (problems.length === 0) return;
  const lines = problems.map(({ name, message }) => `  ${name}: ${message}`);
  throw new Error(
    [
      `The backend cannot start because ${problems.length === 1 ? 'a setting is' : 'settings are'} invalid:`,
      ...lines,
      `They are read from ${files.join(', ')}. docs/configuration.md describes every setting.`,
    ].join('\n'),
  );
}

/** The names that no setting has, each with the setting that was probably meant. */
export function unknownSettings(values: Readonly<Record<string, string>>): UnknownSetting[] {
  const known = [...Object.values(SETTINGS).map(({ name }) => name), ...SETUP_SETTINGS];
  return Object.keys(values)
    .filter((name) => !known.includes(name) && !OTHER_VARIABLES.test(name))
    .map((name) => ({ name, similar: mostSimilar(name, known) }));
}

function mostSimilar(name: string, known: readonly string[]): string | undefined {
  const distances = known.map((other) => ({ other, distance: leven(name, other) }));
  const nearest = distances.toSorted((a, b) => a.distance - b.distance)[0];
  return nearest !== undefined && nearest.distance <= MISSPELT_LETTERS ? nearest.other : undefined;
}

/** The settings that have a default, with it. */
export function defaultSettings(): Record<string, string> {
  const settings = Object.values(SETTINGS).flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return Object.fromEntries(settings) as Record<string, string>;
}
