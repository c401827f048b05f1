import { gzipSync } from 'node:zlib';
import { BRAND } from '@hearth/shared/brand';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';

/** Limit of the compressed size of the first load, without the Firebase SDK. */
const FIRST_LOAD_BYTES = 150_000;

let outputs: Map<string, Rolldown.OutputChunk | Rolldown.OutputAsset>;
beforeAll(async () => {
  const result = await build({
    configFile: `${import.meta.dirname}/../vite.config.ts`,
    logLevel: 'error',
    build: { write: false, sourcemap: false },
  });
  if (!('output' in result)) throw new Error('Vite built no bundle.');
  outputs = new Map(result.output.map((output) => [output.fileName, output]));
});

/** A chunk with everything that it imports statically. */
function withImports(fileName: string, seen = new Set<string>()): Set<string> {
  const output = outputs.get(fileName);
  if (seen.has(fileName) || output?.type !== 'chunk') return seen;
  seen.add(fileName);
  for (const imported of output.imports) withImports(imported, seen);
  return seen;
}

function chunkOf(source: string): string {
  for (const output of outputs.values()) {
    if (output.type === 'chunk' && output.facadeModuleId?.endsWith(source) === true) return output.fileName;
  }
  throw new Error(`No chunk of ${source}`);
}

const isFirebase = (fileName: string) => /\/firebase-/.test(fileName);

function weigh(fileNames: Iterable<string>): number {
  const texts = [...fileNames].map((fileName) => {
    const output = outputs.get(fileName);
    return output?.type === 'chunk' ? output.code : (output?.source ?? '');
  });
  return texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
}

test.each([
  'home',
  'sign-in',
  'action',
  'dashboard',
  'files',
  'billing',
  'billing-success',
  'account',
  'admin',
])('the first load of the page %s is light', (page) => {
  const chunks = new Set([
    ...withImports(chunkOf('index.html')),
    ...withImports(chunkOf(`pages/${page}.tsx`)),
  ]);
  const styles = [...outputs.keys()].filter((fileName) => fileName.endsWith('.css'));
  const own = [...chunks].filter((fileName) => !isFirebase(fileName));
  expect(weigh([...own, ...styles])).toBeLessThan(FIRST_LOAD_BYTES);
});

describe('the Firebase SDK', () => {
  test('is not loaded by the start page', () => {
    const chunks = [...withImports(chunkOf('index.html')), ...withImports(chunkOf('pages/home.tsx'))];
    expect(chunks.filter(isFirebase)).toEqual([]);
  });

  test('is loaded without Firestore by signing in', () => {
    const chunks = [...withImports(chunkOf('pages/sign-in.tsx'))];
    expect(chunks.filter((name) => name.includes('firebase-firestore'))).toEqual([]);
    expect(chunks.filter((name) => name.includes('firebase-auth'))).toHaveLength(1);
  });
});

test('the banner of npm start is not in the first load', () => {
  const modules = [...withImports(chunkOf('index.html'))].flatMap((fileName) => {
    const output = outputs.get(fileName);
    return output?.type === 'chunk' ? output.moduleIds : [];
  });
  expect(modules.filter((id) => id.includes('/src/local/')).map((id) => id.split('/').at(-1))).toEqual([
    'local-part.tsx',
  ]);
});

test.each(['index.html', '404.html'])('%s has the name of the app', (fileName) => {
  const output = outputs.get(fileName);
  const html = output?.type === 'asset' ? String(output.source) : '';
  const title = /<title>(.*)<\/title>/.exec(html)?.[1]?.replaceAll('&amp;', '&').replaceAll('&lt;', '<');
  expect(title?.split(' · ').at(-1)).toBe(BRAND.name);
  expect(html).not.toContain('%BRAND');
});

test('no secret and no configuration of a project is built in', () => {
  const code = [...outputs.values()].map((output) => (output.type === 'chunk' ? output.code : '')).join('\n');
  expect(code).not.toMatch(/sk_(test|live)_|whsec_|AIza[\w-]{20}/);
});
