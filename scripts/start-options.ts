import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CommandLine } from './command-line.ts';
import { DEFAULT_PROJECT } from './stack-config.ts';

export interface StartOptions {
  projectId: string;
  ports: 'default' | 'free';
  official: boolean;
  build: 'watch' | 'skip';
  indexCheck: boolean;
  /** Whether a demonstration is made. Data that is imported stays as it is. */
  seed: boolean;
  /** Whether the services have the latencies and quotas of production. */
  latency: boolean;
  extraArgs: string[];
}

const OPTIONS = {
  project: { type: 'string', value: '<id>', help: `the name of the stack, by default ${DEFAULT_PROJECT}` },
  official: { type: 'boolean', help: "uses Java and Google's own emulators with their UI" },
  'free-ports': { type: 'boolean', help: 'uses any free ports, for a second stack' },
  'no-build': { type: 'boolean', help: 'uses what was built before, and watches no sources' },
  'no-index-check': { type: 'boolean', help: 'runs queries without the indexes that production needs' },
  seed: { type: 'boolean', help: 'makes users, teams, invitations and files also with --import' },
  'no-seed': { type: 'boolean', help: 'makes none' },
  latency: { type: 'string', value: 'production', help: 'waits for the services as long as in production' },
} as const;

export const START_COMMAND_LINE = {
  usage: ['npm start -- [options] [options of firebase emulators:start]'],
  options: OPTIONS,
  takesArguments: true,
  examples: [
    'npm start',
    'npm start -- --import data --export-on-exit data',
    'npm start -- --free-ports --project demo-second',
    'npm start -- --latency production',
    'npm run start:official',
  ],
} as const satisfies CommandLine;

/** Options of the CLI that name a folder, or none. */
const FOLDER_OPTIONS = ['--import', '--export-on-exit'];

/** Reads the command line of `npm start`: its own options, and everything else for the Firebase CLI. */
export function readStartOptions(argv: readonly string[]): StartOptions {
  const { values, tokens } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const own = tokens.flatMap((token) => {
    if (token.kind !== 'option' || !(token.name in OPTIONS)) return [];
    return token.inlineValue === false ? [token.index, token.index + 1] : [token.index];
  });
  const extraArgs = withAbsoluteFolders(argv.filter((_arg, index) => !own.includes(index)));
  return {
    projectId: typeof values.project === 'string' ? values.project : DEFAULT_PROJECT,
    ports: values['free-ports'] === true ? 'free' : 'default',
    official: values.official === true,
    build: values['no-build'] === true ? 'skip' : 'watch',
    indexCheck: values['no-index-check'] !== true,
    seed: values.seed === true || (values['no-seed'] !== true && !extraArgs.some(isImport)),
    latency: latencyOf(values.latency),
    extraArgs,
  };
}

const isImport = (arg: string) => arg === '--import' || arg.startsWith('--import=');

/** The CLI may run in another folder than the developer: the folders that its options name are made absolute. */
function withAbsoluteFolders(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    if (FOLDER_OPTIONS.includes(args[index - 1] ?? '') && !arg.startsWith('-')) return [resolve(arg)];
    const [option = '', folder] = arg.split('=', 2);
    return folder !== undefined && FOLDER_OPTIONS.includes(option) ? [option, resolve(folder)] : [arg];
  });
}

/** @throws Error for a value other than `production` */
function latencyOf(value: string | boolean | undefined): boolean {
  if (value === undefined) return false;
  if (value !== 'production') throw new Error('The option --latency knows one value: --latency production');
  return true;
}
