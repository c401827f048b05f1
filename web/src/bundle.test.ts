import { gzipSync } from 'node:zlib';
import { BRAND, type Brand } from '@hearth/shared/brand';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { configOf } from '../vite.config.ts';
import { LANGUAGES } from './texts/language.ts';

/** Limit of the compressed size of the first load, without the Firebase SDK. */
const FIRST_LOAD_BYTES = 150_000;

type Outputs = Map<string, Rolldown.OutputChunk | Rolldown.OutputAsset>;

let outputs: Outputs;
beforeAll(async () => {
  outputs = await built(BRAND);
});

async function built(brand: Brand): Promise<Outputs> {
  const { build: options, ...config } = configOf(brand);
  const result = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { ...options, write: false, sourcemap: false },
  });
  if (!('output' in result)) throw new Error('Vite built no bundle.');
  return new Map(result.output.map((output) => [output.fileName, output]));
}

function textOf(output: Rolldown.OutputChunk | Rolldown.OutputAsset | undefined): string {
  return output?.type === 'chunk' ? output.code : String(output?.source ?? '');
}

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
  const texts = [...fileNames].map((fileName) => textOf(outputs.get(fileName)));
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

/** Functions that are newer than the oldest supported browsers. ESLint finds them in our own code only. */
const NEWER =
  /\b(?:URL\.(?:parse|canParse)|Promise\.(?:withResolvers|try)|(?:Object|Map)\.groupBy|AbortSignal\.any|Array\.fromAsync)\b/;

test('no library needs a function that the oldest supported browsers do not have', () => {
  const found = [...outputs.values()].flatMap((output) => {
    const name = output.type === 'chunk' ? NEWER.exec(output.code)?.[0] : undefined;
    return name === undefined ? [] : [`${output.fileName}: ${name}`];
  });
  expect(found).toEqual([]);
});

test('the colors are translated for the oldest supported browsers', () => {
  const styles = [...outputs.values()].filter(({ fileName }) => fileName.endsWith('.css')).map(textOf);
  expect(styles.join('\n')).toContain('--page:');
  expect(styles.join('\n')).not.toContain('light-dark(');
});

test.each(['index.html', '404.html'])('%s has the name of the app', (fileName) => {
  const html = textOf(outputs.get(fileName));
  const title = /<title>(.*)<\/title>/.exec(html)?.[1] ?? '';
  const name = title.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  expect(name.split(' · ').at(-1)).toBe(BRAND.name);
  expect(html).not.toContain('%BRAND');
});

test('the app has no words before its script runs, and says in each language that it needs JavaScript', () => {
  const [, body = ''] = /<body>([^]*)<\/body>/.exec(textOf(outputs.get('index.html'))) ?? [];
  const [noscript = ''] = /<noscript>[^]*<\/noscript>/.exec(body) ?? [];
  expect(
    body
      .replace(noscript, '')
      .replaceAll(/<[^>]*>/g, '')
      .trim(),
  ).toBe('');
  expect(noscript).toMatch(/<p[^>]*>[^<]+JavaScript/);
  for (const language of Object.keys(LANGUAGES).filter((name) => name !== 'en'))
    expect(noscript).toMatch(new RegExp(`<p[^>]* lang="${language}">[^<]+JavaScript`));
});

describe('with another brand', () => {
  const accent = { light: '#0b5cb9', dark: '#7cc4ff' };
  const ACME: Brand = { ...BRAND, name: 'Acme & "Co"', description: null, accent, logoUrl: null };
  let branded: Outputs;
  beforeAll(async () => {
    branded = await built(ACME);
  });

  test('no file has the name, the description or a color of Hearth', () => {
    const ofHearth = /\bHearth\b|teams and file upload on Firebase"|#(?:b93c0b|fb923c|943009|fcb377)/;
    const found = [...branded].flatMap(([fileName, output]) => {
      const text = ofHearth.exec(textOf(output))?.[0];
      return text === undefined ? [] : [`${fileName}: ${text}`];
    });
    expect(found).toEqual([]);
  });

  test('the pages have its name, its colors and its letter', () => {
    const [index, missing, icon] = ['index.html', '404.html', 'favicon.svg'].map((name) =>
      textOf(branded.get(name)),
    );
    expect(index).toContain('<title>Acme &amp; &quot;Co&quot;</title>');
    expect(index).not.toContain('name="description"');
    expect(missing).toMatch(
      /<a class="brand" href="\/"><img src="\/favicon.svg".*Acme &amp; &quot;Co&quot;<\/a>/,
    );
    expect(icon).toContain('fill="#0b5cb9"/>');
    expect(icon).toContain('fill="#ffffff">A</text>');
    const styles = [...branded.values()].filter(({ fileName }) => fileName.endsWith('.css')).map(textOf);
    expect(styles.join('\n')).toMatch(/--accent:[^;]*#0b5cb9[^;]*#7cc4ff/);
  });

  test('a logo replaces the icon and the name', async () => {
    const logoUrl = 'https://cdn.example.com/logo.png?a=1&b=2';
    const pages = await built({ ...ACME, logoUrl, description: 'Tools for <coyotes>' });
    expect(textOf(pages.get('404.html'))).toContain(
      '<a class="brand" href="/"><img src="https://cdn.example.com/logo.png?a=1&amp;b=2" alt="Acme &amp; &quot;Co&quot;" height="28" /></a>',
    );
    expect(textOf(pages.get('index.html'))).toContain(
      '<meta name="description" content="Tools for &lt;coyotes>" />',
    );
  });
});

test('the licenses of all bundled packages and fonts are published with them', () => {
  const notices = textOf(outputs.get('THIRD_PARTY_LICENSES.txt'));
  for (const name of ['@firebase/auth', '@firebase/firestore', 'preact', 'lucide', 'zod'])
    expect(notices).toMatch(new RegExp(`^${name} [\\d.]+[^ ]* \\(.+\\)$`, 'm'));
  expect(notices).toMatch(
    /^@fontsource-variable\/figtree [\d.]+ \(OFL-1\.1\)\n\n[^]*?SIL OPEN FONT LICENSE/m,
  );
  expect(notices).toContain('Apache License');
  expect(notices).not.toMatch(/\(not stated\)|No license file/);
});

test('no secret and no configuration of a project is built in', () => {
  const code = [...outputs.values()].map((output) => (output.type === 'chunk' ? output.code : '')).join('\n');
  expect(code).not.toMatch(/sk_(test|live)_|whsec_|AIza[\w-]{20}/);
});
