import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './paths.ts';

/** The page of journeys agrees with the code. */

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The lists of files, one for each heading. */
const JOURNEYS = [...read('docs/journeys.md').matchAll(/^## (.+)\n((?:(?!^## ).*\n)+)/gm)].map(
  ([, name = '', text = '']) => ({
    name,
    numbers: [...text.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number)),
    files: filesOf(text, /^\d+\. `([^`]+)`/gm),
    details: filesOf(text, /^- `([^`]+)`/gm),
    calls: callsIn(text),
  }),
);

interface OutlineCall {
  functionName: string;
  /** The first number of the call: the file that has the function. */
  number: number;
}

/** The calls with numbers in the outline of a journey. A line has one function, or several with commas. */
function callsIn(text: string): OutlineCall[] {
  const withoutDiagram = text.replace(/^```mermaid\n[^`]+```$/m, '');
  const [, outline = ''] = /^```\n([^`]+)```$/m.exec(withoutDiagram) ?? [];
  const lines = [...outline.matchAll(/^ *(\w+(?:, \w+)*) {2,}(\d+)/gm)];
  return lines.flatMap(([, names = '', number]) =>
    names.split(', ').map((functionName) => ({ functionName, number: Number(number) })),
  );
}

const declares = (file: string, name: string) =>
  new RegExp(`\\b(?:function|const) ${name}\\b|\\b${name}:`).test(read(file));

test.each(JOURNEYS.filter(({ calls }) => calls.length > 0))(
  '$name: each function of the outline is in the file of its first number',
  ({ files, calls }) => {
    const wrong = calls.filter(
      ({ functionName, number }) => !declares(files[number - 1] ?? '', functionName),
    );
    expect(wrong).toEqual([]);
  },
);

test('seven journeys have an outline', () => {
  expect(JOURNEYS.filter(({ calls }) => calls.length > 2)).toHaveLength(7);
});

test.each(JOURNEYS)('$name: the steps have consecutive numbers', ({ numbers }) => {
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
});

test('the page has all journeys', () => {
  expect(JOURNEYS.length).toBeGreaterThan(9);
});

function filesOf(text: string, item: RegExp): string[] {
  return [...text.matchAll(item)].map(([, file = '']) => `functions/src/${file}`);
}

test.each(JOURNEYS)(
  '$name: each file is imported by an earlier file, and is named once',
  ({ files, details }) => {
    expect(files.length).toBeGreaterThan(2);
    const all = [...files, ...details];
    expect(new Set(all).size).toBe(all.length);
    // Every journey that begins with a request continues the first list.
    const [everyRequest] = JOURNEYS;
    const before = [...(everyRequest?.files ?? []), ...(everyRequest?.details ?? [])];
    const imported = new Set([...files.slice(0, 1), ...before.flatMap(importsOf)]);
    for (const file of files) {
      expect(imported).toContain(file);
      for (const path of importsOf(file)) imported.add(path);
    }
    const importedByDetails = new Set([...imported, ...details.flatMap(importsOf)]);
    expect(details.filter((file) => !importedByDetails.has(file))).toEqual([]);
  },
);

test('the page of journeys has the length of its first reading', () => {
  const first = [
    'Every request',
    'Signing in',
    'A later request',
    'Accepting an invitation',
    'An API upload',
  ];
  const billing = ['The plan of a subscription', 'Buying a plan', 'An event of Stripe'];
  const named = JOURNEYS.filter(({ name }) => [...first, ...billing].includes(name));
  expect(named).toHaveLength(8);
  const files = new Set(named.flatMap((journey) => journey.files));
  const lines = [...files].reduce((sum, file) => sum + read(file).split('\n').length, 0);
  const [, said = ''] = /have about ([\d,]+) lines/.exec(read('docs/journeys.md').replace(/\s+/g, ' ')) ?? [];
  expect(Math.abs(Number(said.replace(',', '')) / lines - 1)).toBeLessThan(0.1);
});

/** The files that a source imports. */
function importsOf(file: string): string[] {
  const paths = [...read(file).matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, path = '']) => path);
  return paths.map((path) => join(dirname(file), path));
}
