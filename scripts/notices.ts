import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';

/** A package whose code is part of the bundle. */
export interface BundledPackage {
  name: string;
  version: string;
  /** The folder in which it is installed. */
  root: string;
  /** SPDX expression of its `package.json`. */
  license: string;
  /** The text of its license file; undefined if the package has none. */
  text: string | undefined;
}

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional().catch(undefined),
  /** The older form. */
  licenses: z.array(z.object({ type: z.string() })).catch([]),
});

/**
 * The packages whose files are in a bundle, by name.
 *
 * @param folder the folder to which the paths are relative
 * @param files paths of the sources, such as the inputs in the metafile of esbuild
 */
export function bundledPackages(folder: string, files: readonly string[]): BundledPackage[] {
  const roots = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const unique = [...new Set(roots.filter((root) => root !== undefined))];
  return unique
    .map((root) => describePackage(resolve(folder, root)))
    .sort((one, other) => compare(`${one.name} ${one.version}`, `${other.name} ${other.version}`));
}

function describePackage(root: string): BundledPackage {
  const { name, version, ...stated } = manifestSchema.parse(
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  );
  const license = stated.license ?? (stated.licenses.map(({ type }) => type).join(' OR ') || 'not stated');
  const file = readdirSync(root).find((entry) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(entry));
  return { name, version, root, license, text: file && readFileSync(join(root, file), 'utf8').trim() };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** The name of the file with the notices, beside a bundle. */
export const NOTICES = 'THIRD_PARTY_LICENSES.txt';

const APACHE = 'Apache-2.0';

/** The text of the file that is published beside the bundle. Most licenses ask for it. */
export function renderNotices(packages: readonly BundledPackage[]): string {
  const sections = packages.map(
    ({ name, version, license, text }) =>
      `${name} ${version} (${license})\n\n${text ?? withoutFile(license)}\n`,
  );
  // Firebase's packages have this license and no file.
  if (packages.some(({ license, text }) => license === APACHE && text === undefined))
    sections.push(`${APACHE}\n\n${apacheLicense()}\n`);
  return `This software contains these packages:\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

const withoutFile = (license: string) =>
  license === APACHE ? 'The license is at the end of this file.' : 'No license file.';

/** TypeScript has the same license, with its text. */
function apacheLicense(): string {
  const folder = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  return readFileSync(join(folder, 'LICENSE.txt'), 'utf8').trim();
}
