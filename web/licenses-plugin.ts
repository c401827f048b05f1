import type { Plugin } from 'vite';
import { assertLocked } from '../scripts/locked-packages.ts';
import { bundledPackages, NOTICES, renderNotices } from '../scripts/notices.ts';

/** Publishes the licenses of the bundled packages and fonts beside the pages. Fails if a package is not locked. */
export const licenses: Plugin = {
  name: 'licenses',
  generateBundle(_options, bundle) {
    const sources = Object.values(bundle).flatMap((output) =>
      output.type === 'chunk' ? output.moduleIds : output.originalFileNames,
    );
    // A plugin marks its own modules by a null character.
    const files = sources.map((id) => id.replace('\0', ''));
    assertLocked(import.meta.dirname, files);
    const source = renderNotices(bundledPackages(import.meta.dirname, files));
    this.emitFile({ type: 'asset', fileName: NOTICES, source });
  },
};
