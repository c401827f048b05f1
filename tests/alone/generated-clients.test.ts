import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { generate } from 'orval';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../functions/src/app.ts';
import { openApiDocument } from '../../functions/src/openapi/document.ts';

/** Code generators that apps use on the OpenAPI document. Neither uses the network. */
const GENERATORS: Readonly<Record<string, (input: string, output: string) => Promise<unknown>>> = {
  'orval with fetch': (input, output) =>
    generate({
      input: { target: input },
      output: { target: join(output, 'api.ts'), mode: 'split', client: 'fetch' },
    }),
  'orval with zod': (input, output) =>
    generate({ input: { target: input }, output: { target: join(output, 'api.ts'), client: 'zod' } }),
  '@hey-api/openapi-ts': (input, output) =>
    createClient({
      input,
      output,
      plugins: ['@hey-api/client-fetch'],
      logs: { level: 'silent', file: false },
    }),
};

let folder: string;
let input: string;
beforeAll(async () => {
  // Inside the repository, so that generated imports are resolved from its packages.
  folder = await mkdtemp(join(import.meta.dirname, '.generated-'));
  input = join(folder, 'openapi.json');
  await writeFile(input, JSON.stringify(openApiDocument({ appUrl: 'https://hearth.test' }, ROUTES)));
});
afterAll(() => rm(folder, { recursive: true }));

test.each(Object.entries(GENERATORS))('the code of %s compiles', async (name, run) => {
  const output = join(folder, name.replaceAll(/\W+/g, '-'));
  await run(input, output);
  const files = (await readdir(output, { recursive: true })).filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(0);
  expect(problemsOf(files.map((file) => join(output, file)))).toEqual([]);
});

function problemsOf(files: string[]): string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line =
      file === undefined ? '' : `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1} `;
    return line + ts.flattenDiagnosticMessageText(messageText, '\n');
  });
}
