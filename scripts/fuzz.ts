/** `npm run fuzz -- [seconds]`: runs the upload fuzzers for the given seconds, 300 by default. */
import { join } from 'node:path';
import { execa } from 'execa';
import { ROOT } from './paths.ts';

const FUZZERS = [
  'functions/src/uploads/api/multipart.fuzz.test.ts',
  'functions/src/uploads/files/kinds.test.ts',
];

const seconds = Number(process.argv[2] ?? 300);
if (!Number.isInteger(seconds) || seconds < 1)
  throw new Error('The argument must be a whole number of seconds.');
const timeout = `--testTimeout=${(seconds + 60) * 1000}`;
const { exitCode } = await execa(
  process.execPath,
  [join(import.meta.dirname, 'test.ts'), '--project', 'unit', timeout, '-t', 'damaged', ...FUZZERS],
  { cwd: ROOT, stdio: 'inherit', reject: false, env: { FUZZ_SECONDS: String(seconds) } },
);
process.exitCode = exitCode ?? 1;
