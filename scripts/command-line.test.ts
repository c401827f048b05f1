import { expect, test } from 'vitest';
import { helpOf, readCommandLine, wantsHelp, type CommandLine } from './command-line.ts';

const LINE = {
  usage: ['npm run fly -- <where> [options]'],
  options: {
    project: { type: 'string', value: '<project>', help: 'a project' },
    fast: { type: 'boolean', default: false, help: 'does not wait' },
  },
  takesArguments: true,
  examples: ['npm run fly -- home --fast'],
} as const satisfies CommandLine;

test('the help has the usage, every option and the examples', () => {
  expect(helpOf(LINE)).toBe(
    [
      'Usage:',
      '  npm run fly -- <where> [options]',
      '',
      'Options:',
      '  --project <project>  a project',
      '  --fast               does not wait',
      '  --help, -h           prints this',
      '',
      'Example:',
      '  npm run fly -- home --fast',
    ].join('\n'),
  );
});

test.each([
  ['--help', true],
  ['home -h --fast', true],
  ['home', false],
  ['home -- --help', false],
  ['', false],
])('"%s" asks for help: %s', (line, expected) => {
  expect(wantsHelp(line.split(' '))).toBe(expected);
});

test('options and arguments are read', () => {
  const { values, positionals } = readCommandLine(LINE, ['home', '--project', 'acme']);
  expect({ ...values }).toEqual({ project: 'acme', fast: false });
  expect(positionals).toEqual(['home']);
});

test.each([
  [['--slow'], "Unknown option '--slow'. The options are --project, --fast, --help."],
  [['--project'], "Option '--project <value>' argument missing. The options are --project, --fast, --help."],
])('%j is refused with the known options', (args, message) => {
  expect(() => readCommandLine(LINE, args)).toThrow(message);
});

test('an argument is refused where none is expected', () => {
  const read = () => readCommandLine({ ...LINE, takesArguments: false }, ['home']);
  expect(read).toThrow("Unexpected argument 'home'. The options are --project, --fast, --help.");
});
