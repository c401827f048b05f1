import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { createInterface } from 'node:readline/promises';

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

export const USAGE = `Usage: npm create hearth@latest <folder> -- [options]
  --name <name>          the name of the app, by default made from the folder
  --plans <slug,slug>    the plans to keep, by default all
  --no-pages             leaves out the web app
  --template <folder>    takes the files from there
  --yes                  asks nothing`;

const OPTIONS = {
  name: { type: 'string' },
  plans: { type: 'string' },
  'no-pages': { type: 'boolean', default: false },
  template: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const;

/**
 * Reads the command line, and asks for missing options.
 *
 * @param ask undefined without a terminal; then the defaults apply
 * @throws Error with the usage if the folder is missing
 */
export async function readChoices(args: readonly string[], ask: Ask | undefined): Promise<Choices> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new Error(USAGE);
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
