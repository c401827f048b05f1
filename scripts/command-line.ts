import { parseArgs } from 'node:util';

/** An option of a command, as `parseArgs` reads it and as the help shows it. */
export interface Option {
  type: 'string' | 'boolean';
  default?: string | boolean;
  /** The value in the help, such as `<folder>`. */
  value?: string;
  help: string;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** The command line of a command: its parser and its help. */
export interface CommandLine<Options extends OptionTable = OptionTable> {
  /** The ways to call it, one a line. */
  usage: readonly string[];
  options: Options;
  /** Whether it takes arguments that are no options. */
  takesArguments?: boolean;
  examples: readonly string[];
  /** Further text of the help, such as the list of commands. */
  more?: string;
}

/** True if the command line asks for help, by `--help` or `-h`. Arguments after `--` belong to another program. */
export function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  return own.includes('--help') || own.includes('-h');
}

/**
 * Prints the help and ends the process with 0, if the command line asks for it. Call it before anything else happens.
 */
export function exitWithHelp(line: CommandLine, args: readonly string[] = process.argv.slice(2)): void {
  if (!wantsHelp(args)) return;
  console.log(helpOf(line));
  process.exit(0);
}

/** The help: usage, every option, and examples. */
export function helpOf({ usage, options, examples, more }: CommandLine): string {
  const rows = Object.entries(options).map(([name, { value, help }]) => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    help,
  ]);
  rows.push(['--help, -h', 'prints this']);
  const width = Math.max(...rows.map(([option = '']) => option.length)) + 2;
  return [
    ...section('Usage', usage),
    ...(more === undefined ? [] : ['', more]),
    '',
    ...section(
      'Options',
      rows.map(([option = '', help = '']) => option.padEnd(width) + help),
    ),
    '',
    ...section(examples.length === 1 ? 'Example' : 'Examples', examples),
  ].join('\n');
}

const section = (title: string, lines: readonly string[]) => [
  `${title}:`,
  ...lines.map((line) => `  ${line}`),
];

/**
 * The options and other arguments that were typed.
 *
 * @throws Error for an unknown option, which names the known ones; for an option without its value, and an unexpected
 *   argument
 */
export function readCommandLine<const Options extends OptionTable>(
  { options, takesArguments = false }: CommandLine<Options>,
  args: readonly string[] = process.argv.slice(2),
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: takesArguments });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The first sentence: the second one of Node explains its rules.
    const [problem = ''] = error.message.split(/\. (?:To|This)/);
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new Error(`${problem.replace(/\.$/, '')}. The options are ${names.join(', ')}, --help.`, {
      cause: error,
    });
  }
}
