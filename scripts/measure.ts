/**
 * `npm run measure -- [--runs N] [--busy N] [--] <command>`: runs a command several times and prints what each run
 * costs: wall time, processor time, peak memory, and the last line that the command prints.
 *
 * `--busy N` keeps N other processes computing meanwhile, which is a load of N. `--sample MS` is the pause between two
 * readings. Linux only: it reads /proc. Example: `npm run measure -- --runs 5 --busy 2 npm test`.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { requireNode24 } from './node-version.ts';
import { ROOT } from './paths.ts';
import { childrenProcessorSeconds, processesMarked, UseMeter } from './process-use.ts';
import { onShutdown } from './shutdown.ts';

/** A variable of the command's environment by which its processes are found. */
const MARK = 'HEARTH_MEASURE';

requireNode24();
const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '1' },
    busy: { type: 'string', default: '0' },
    sample: { type: 'string', default: '1000' },
  },
  allowPositionals: true,
});
const command = positionals.length > 0 ? positionals : ['npm', 'test'];

const load = startLoad(Number(values.busy));
onShutdown(() => process.exit(1));
const results: string[] = [];
for (let run = 1; run <= Number(values.runs); run++) results.push(`run ${run}: ${await measure(command)}`);
for (const child of load) child.kill();
console.log(`\n${command.join(' ')}, beside ${values.busy} busy processes`);
console.log(results.join('\n'));

/** Runs the command once; a failure is part of the answer. */
async function measure([program = '', ...args]: readonly string[]): Promise<string> {
  const mark = randomUUID();
  const started = performance.now();
  const secondsBefore = childrenProcessorSeconds();
  const child = execa(program, args, {
    cwd: ROOT,
    env: { [MARK]: mark },
    stdio: ['ignore', 'pipe', 'inherit'],
    buffer: false,
    reject: false,
  });
  const meter = new UseMeter();
  const timer = setInterval(() => {
    meter.read(processesMarked(`${MARK}=${mark}`));
  }, Number(values.sample));
  let lastLine = '';
  for await (const line of child) {
    if (line.trim() !== '') lastLine = line;
    console.log(line);
  }
  const { exitCode } = await child;
  clearInterval(timer);
  if (exitCode !== 0) process.exitCode = 1;
  return [
    `${lastLine} (exit ${exitCode ?? 'by a signal'})`,
    `${((performance.now() - started) / 1000).toFixed(0)} s`,
    ...meter.describe(childrenProcessorSeconds() - secondsBefore),
  ].join('; ');
}

/** Starts busy processes, which run until they are stopped or this process exits. */
function startLoad(count: number) {
  return Array.from({ length: count }, () =>
    execa(process.execPath, ['--eval', 'for (;;) Math.random()'], { stdio: 'ignore', reject: false }),
  );
}
