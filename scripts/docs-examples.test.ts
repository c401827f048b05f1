import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DocumentAccess, resource } from '@hearth/security-rules/documents';
import { loadRuleset } from '@hearth/security-rules/ruleset';
import { bool, map, path, string, timestamp } from '@hearth/security-rules/value';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ROOT } from './paths.ts';

/** An example of docs/building.md: a new file, or lines for a place in a file that exists. */
interface Example {
  file: string;
  place: string | undefined;
  text: string;
}

/** Without the web app, the examples of pages have no place. */
const hasPages = existsSync(join(ROOT, 'web'));

/** A project that has made the examples its own. */
const isTaken = existsSync(join(ROOT, 'shared/src/documents/note.ts'));

const page = readFileSync(join(ROOT, 'docs/building.md'), 'utf8');
const examples: Example[] = [
  ...page.matchAll(/^```(?:tsx?|text)\n\/\/ ([\w./-]+?)(?:, in ([^\n]+))?\n([^]*?)^```/gm),
]
  .map(([, file = '', place, text = '']) => ({ file, place, text }))
  .filter(({ file }) => hasPages || !file.startsWith('web/'));

/** The files of the examples, with the lines in their places. */
function filesWithExamples(): Map<string, string> {
  const files = new Map<string, string>();
  for (const { file, place, text } of examples) {
    const current = files.get(file) ?? (place === undefined ? '' : readFileSync(join(ROOT, file), 'utf8'));
    files.set(file, place === undefined ? text : withLines(current, place, text));
  }
  return files;
}

/** Adds the imports at the beginning of a file, and the other lines at the beginning of a block. */
function withLines(source: string, place: string, lines: string): string {
  const name = place.replaceAll(/[{}]/g, '\\$&');
  const block = new RegExp(`(?:^|\\s)${name}(?!\\w)[^\\n;]*\\{\\n`, 'm').exec(source);
  expect(block, place).not.toBeNull();
  const end = (block?.index ?? 0) + (block?.[0].length ?? 0);
  const imports = lines.match(/^import .*\n/gm) ?? [];
  const others = imports.reduce((rest, line) => rest.replace(line, ''), lines);
  return `${imports.join('')}${source.slice(0, end)}${others}${source.slice(end)}`;
}

/** The path of a file of the shared package, which npm links. */
const linked = (name: string) => name.replace('/node_modules/@hearth/shared/', '/shared/');

/** The mistakes that the compiler finds in these files, which need not exist. */
function typeErrorsOf(files: ReadonlyMap<string, string>): string[] {
  const sources = new Map([...files].map(([file, text]) => [join(ROOT, file), text]));
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (name) => ts.sys.readFile(name)).config as {
    compilerOptions: object;
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const base = ts.createCompilerHost(options);
  const textOf = (name: string) => sources.get(linked(name));
  const folders = new Set([...sources.keys()].map((name) => dirname(name)));
  const host: ts.CompilerHost = {
    ...base,
    fileExists: (name) => textOf(name) !== undefined || base.fileExists(name),
    directoryExists: (name) => folders.has(linked(name)) || base.directoryExists?.(name) === true,
    readFile: (name) => textOf(name) ?? base.readFile(name),
    realpath: (name) => (textOf(name) === undefined ? (base.realpath?.(name) ?? name) : linked(name)),
    getSourceFile: (name, version, ...rest) => {
      const text = textOf(name);
      return text === undefined
        ? base.getSourceFile(name, version, ...rest)
        : ts.createSourceFile(name, text, version, true);
    },
  };
  const roots = [...sources.keys(), join(ROOT, 'web/src/env.d.ts')];
  const program = ts.createProgram(
    roots.filter((name) => host.fileExists(name)),
    options,
    host,
  );
  return [...sources.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  });
}

/** Stands in for the package, which is not installed here. */
const ASYNC_STORAGE = `declare module '@react-native-async-storage/async-storage' {
  const storage: {
    getItem: (key: string) => Promise<string | null>;
    setItem: (key: string, value: string) => Promise<void>;
    removeItem: (key: string) => Promise<void>;
  };
  export default storage;
}
`;

/** The part of `src/backend.ts` that the sample needs, and that needs the sample. */
const SURROUNDINGS = "declare const app: import('firebase/app').FirebaseApp;\nexport { auth };\n";

test('the examples of the page about the phone app have no type error', () => {
  const page = readFileSync(join(ROOT, 'examples/react-native/README.md'), 'utf8');
  const samples = [...page.matchAll(/^ *```tsx?\n([^]*?)^ *```/gm)].map(([, text = '']) => text);
  expect(samples.length).toBeGreaterThan(0);
  const files = samples.map((text, index) => [
    `examples/react-native/src/sample-${index}.ts`,
    text + SURROUNDINGS,
  ]) satisfies [string, string][];
  const types = ['examples/react-native/src/async-storage.d.ts', ASYNC_STORAGE] as const;
  expect(typeErrorsOf(new Map([types, ...files]))).toEqual([]);
});

test.skipIf(isTaken)('the examples of docs/building.md fit into the project and have no type error', () => {
  const files = new Map([...filesWithExamples()].filter(([file]) => /\.tsx?$/.test(file)));
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(['functions/src/notes/notes.routes.ts', 'functions/src/firestore/collections.ts']),
  );
  expect(typeErrorsOf(files)).toEqual([]);
});

test.skipIf(isTaken)(
  'the example of the rules lets the members of a team read its notes, and nobody write them',
  async () => {
    const loaded = loadRuleset(filesWithExamples().get('firestore.rules') ?? '');
    if ('issues' in loaded) throw new Error(JSON.stringify(loaded.issues));
    const { ruleset } = loaded;
    const at = (...segments: string[]) => [
      'databases',
      '(default)',
      'documents',
      'teams',
      'acme',
      ...segments,
    ];
    const isAllowed = async (uid: string, method: 'get' | 'create') => {
      const note = at('notes', 'one');
      const { allowed } = await ruleset.evaluate({
        service: 'cloud.firestore',
        method,
        path: note,
        auth: map({ uid: string(uid), token: map({ email_verified: bool(true) }) }),
        time: timestamp(BigInt(Date.now()) * 1_000_000n),
        resource: resource(path(note), map({ text: string('Buy wood') })),
        documents: new DocumentAccess(({ segments }) =>
          Promise.resolve(segments.join('/') === at('members', 'ada').join('/') ? map({}) : undefined),
        ),
      });
      return allowed;
    };
    expect(await isAllowed('ada', 'get')).toBe(true);
    expect(await isAllowed('ben', 'get')).toBe(false);
    expect(await isAllowed('ada', 'create')).toBe(false);
  },
);

test('the examples in JSON have the form of the entries beside them', () => {
  const [index, rewrite] = [...page.matchAll(/^```json\n([^]*?)^```/gm)].map(
    ([, text = '']) => JSON.parse(text) as object,
  );
  const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as unknown;
  const { indexes } = read('firestore.indexes.json') as { indexes: object[] };
  expect(Object.keys(index ?? {})).toEqual(Object.keys(indexes[0] ?? {}));
  expect(rewrite).toEqual({ source: '/notes', destination: '/index.html' });
});
