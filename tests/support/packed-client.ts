import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { ROOT } from '../../scripts/paths.ts';

/** The folder of the published package. */
export const CLIENT = join(ROOT, 'client');

/** Packages that a project installs beside the client. They are linked, because tests download nothing. */
const PEERS = ['@types/node', '@types/react', 'firebase', 'react'];

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    jsx: 'react-jsx',
    allowImportingTsExtensions: true,
    types: ['node'],
  },
  include: ['*.ts', '*.tsx'],
};

/** A project outside of this repository in which the packed client is installed. */
export interface Project extends AsyncDisposable {
  /** The archive that npm would publish. */
  archive: string;
  /** The files of the installed client. */
  installedFiles: () => Promise<string[]>;
  write: (file: string, text: string) => Promise<void>;
  /** Type checks all files, with other options of the compiler if they are given. Fails with the problems. */
  check: (compilerOptions?: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Runs a file with Node and returns its output. */
  run: (file: string) => Promise<string>;
}

/** Packs the client as `npm publish` does, and installs the archive in a new folder. */
export async function installPackedClient(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-project-'));
  const packed = await execa('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: CLIENT });
  const archive = join(folder, packed.stdout.trim().split('\n').at(-1) ?? '');
  const write = (file: string, text: string) => writeFile(join(folder, file), text);
  await write('package.json', JSON.stringify({ private: true, type: 'module' }));
  await execa('npm', ['install', '--offline', '--no-audit', archive], { cwd: folder });
  for (const name of PEERS) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), link, 'dir');
  }
  return {
    archive,
    installedFiles: () => readdir(join(folder, 'node_modules/@hearth/client'), { recursive: true }),
    write,
    check: async (compilerOptions = {}) => {
      const options = { ...TSCONFIG.compilerOptions, ...compilerOptions };
      await write('tsconfig.json', JSON.stringify({ ...TSCONFIG, compilerOptions: options }));
      await execa(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], { cwd: folder });
    },
    run: async (file) => (await execa(process.execPath, [file], { cwd: folder })).stdout,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
