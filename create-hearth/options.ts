import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { helpOf, readCommandLine, type CommandLine } from '../scripts/command-line.ts';

/** The answers that make a project. */
export interface Choices {
  /** The folder of the project. */
  folder: string;
  /** The name of the app, for people. */
  name: string;
  /** The slugs of the plans to keep. Undefined keeps all. */
  plans: string[] | undefined;
  /** Whether the project has the web app. */
  pages: boolean;
  /** The folder or archive with the files; undefined for those of this package. */
  template: string | undefined;
}

/** Asks a question. Returns the default for an empty answer. */
export type Ask = (question: string, byDefault: string) => Promise<string>;

export const COMMAND_LINE = {
  usage: ['npm run create -- <folder> [options]'],
  options: {
    name: { type: 'string', value: '<name>', help: 'the name of the app, by default made from the folder' },
    plans: { type: 'string', value: '<slug,slug>', help: 'the plans to keep, by default all' },
    'no-pages': { type: 'boolean', default: false, help: 'leaves out the web app' },
    template: { type: 'string', value: '<folder>', help: 'takes the files from there' },
    yes: { type: 'boolean', default: false, help: 'asks nothing' },
  },
  takesArguments: true,
  examples: [
    'npm run create -- ../my-app',
    'npm run create -- ../my-app --name "My App" --plans free,pro --no-pages --yes',
  ],
} as const satisfies CommandLine;

/**
 * Reads the command line, and asks for missing options.
 *
 * @param ask undefined without a terminal; then the defaults apply
 * @throws Error with the usage if the folder is missing
 */
export async function readChoices(args: readonly string[], ask: Ask | undefined): Promise<Choices> {
  const { values, positionals } = readCommandLine(COMMAND_LINE, args);
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new Error(helpOf(COMMAND_LINE));
  const question = values.yes ? undefined : ask;
  const answer = (given: string | undefined, text: string, byDefault: string) =>
    given !== undefined || question === undefined ? (given ?? byDefault) : question(text, byDefault);

  const name = await answer(values.name, 'Name of the app', titleOf(basename(folder)));
  const plans = await answer(values.plans, 'Plans to keep, with commas', 'all');
  const pages = await answer(values['no-pages'] ? 'no' : undefined, 'With the web app', 'yes');
  return {
    folder,
    name,
    plans: plans === 'all' ? undefined : plans.split(',').map((slug) => slug.trim()),
    pages: !/^no?$/i.test(pages),
    template: values.template,
  };
}

/** Asks in the terminal. */
export async function askTerminal(question: string, byDefault: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`${question} (${byDefault}): `);
    return answer.trim() === '' ? byDefault : answer.trim();
  } finally {
    terminal.close();
  }
}

/** A name for people: `my-app` becomes `My App`. */
function titleOf(folder: string): string {
  return folder
    .split(/[-_. ]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/** A name for packages and projects of Firebase: `My App` becomes `my-app`. @throws Error if nothing is left */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  if (slug === '') throw new Error(`"${name}" has no letters for the name of a package.`);
  return slug;
}
