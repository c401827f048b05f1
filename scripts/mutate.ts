/**
 * `npm run mutate -- [filter]`: deletes or changes one guard of the service at a time, runs the tests that should
 * notice, and prints which mutations they killed and which survived. The list is in mutations/; the filter selects by
 * text.
 *
 * It changes files of the working tree and restores each of them, also when it is interrupted.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { STACK_VARIABLE } from '../tests/support/global-setup.ts';
import { startTestStack } from '../tests/support/test-stack.ts';
import { MUTATIONS } from './mutations/index.ts';
import { mutate, type Mutation } from './mutations/mutation.ts';
import { requireNode24 } from './node-version.ts';
import { ROOT } from './paths.ts';
import { onShutdown } from './shutdown.ts';

requireNode24();
const [filter = ''] = process.argv.slice(2);
const selected = MUTATIONS.filter((mutation) => JSON.stringify(mutation).includes(filter));

let restore: () => void = () => undefined;
onShutdown(() => {
  restore();
  process.exit(1);
});

const stack = await startTestStack();
const survivors: Mutation[] = [];
for (const [index, mutation] of selected.entries()) {
  const started = performance.now();
  const isKilled = await tryMutation(mutation);
  if (!isKilled) survivors.push(mutation);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${index + 1}/${selected.length} ${isKilled ? 'killed  ' : 'SURVIVED'} ${mutation.guard} (${mutation.file}, ${seconds} s)`,
  );
}
await stack.stop();
const killed = selected.length - survivors.length;
console.log(`\n${killed} of ${selected.length} mutations killed.`);
for (const { guard, file, explanation } of survivors)
  console.log(`survived: ${guard} (${file}): ${explanation ?? 'no explanation'}`);
if (survivors.some(({ explanation }) => explanation === undefined)) process.exitCode = 1;

/** @returns whether a test failed */
async function tryMutation(mutation: Mutation): Promise<boolean> {
  const file = join(ROOT, mutation.file);
  const source = readFileSync(file, 'utf8');
  restore = () => {
    writeFileSync(file, source);
  };
  try {
    writeFileSync(file, mutate(source, mutation));
    return !(await passes(mutation.tests));
  } finally {
    restore();
  }
}

async function passes(tests: readonly string[]): Promise<boolean> {
  const { failed } = await execa(process.execPath, [join(ROOT, 'scripts/test.ts'), '--bail=1', ...tests], {
    cwd: ROOT,
    env: { [STACK_VARIABLE]: JSON.stringify(stack.info) },
    stdio: 'ignore',
    reject: false,
  });
  return !failed;
}
