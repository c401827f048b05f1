/** The parts of Hearth that a project can leave out. An upgrade does not bring them back. */

export interface Part {
  /** The folder that shows whether a project has the part. It ends with a slash. */
  folder: string;
  /** The files and folders that only this part needs. */
  others: readonly string[];
}

export const MAKER: Part = {
  folder: 'create-hearth/',
  others: [
    '.github/workflows/new-projects.yml',
    'tests/alone/create-hearth.test.ts',
    'tests/support/linked-packages.ts',
  ],
};

export const WEB_APP: Part = { folder: 'web/', others: ['tests/browser/'] };

export const PARTS: readonly Part[] = [MAKER, WEB_APP];

export const pathsOf = ({ folder, others }: Part): string[] => [folder, ...others];
