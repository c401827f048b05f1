import { resolve } from 'node:path';
import { DEFAULT_PROJECT } from './stack-config.ts';

export interface StartOptions {
  projectId: string;
  ports: 'default' | 'free';
  official: boolean;
  build: 'watch' | 'skip';
  indexCheck: boolean;
  /** Whether a demonstration is made. */
  seed: boolean;
  extraArgs: string[];
}

/** Reads the command line of `npm start`: its own options, and everything else for the Firebase CLI. */
export function readStartOptions(argv: readonly string[]): StartOptions {
  const options: StartOptions = {
    projectId: DEFAULT_PROJECT,
    ports: 'default',
    official: false,
    build: 'watch',
    indexCheck: true,
    seed: false,
    extraArgs: [],
  };
  const rest = [...argv];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--official') options.official = true;
    else if (arg === '--free-ports') options.ports = 'free';
    else if (arg === '--no-build') options.build = 'skip';
    else if (arg === '--no-index-check') options.indexCheck = false;
    else if (arg === '--seed') options.seed = true;
    else if (arg.startsWith('--project=')) options.projectId = arg.slice('--project='.length);
    else if (arg === '--project') options.projectId = rest.shift() ?? DEFAULT_PROJECT;
    else options.extraArgs.push(...withAbsoluteFolder(arg, rest));
  }
  return options;
}

/** The CLI may run in another folder than the developer: the folders that its options name are made absolute. */
function withAbsoluteFolder(arg: string, rest: string[]): string[] {
  const [option = '', value] = arg.split('=', 2);
  if (option !== '--import' && option !== '--export-on-exit') return [arg];
  const folder = value ?? (rest[0]?.startsWith('-') === false ? rest.shift() : undefined);
  return folder === undefined ? [option] : [option, resolve(folder)];
}
