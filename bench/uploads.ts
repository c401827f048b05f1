/**
 * Measures the cost of receiving an upload, beside a bare busboy that discards the bytes and multer that keeps them in
 * memory: `node bench/uploads.ts`. Each case runs in a process of its own, so that its peak memory is its own. Compare
 * the ratios; the times depend on the machine.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Measured } from './uploads/case.ts';
import { HANDLERS, type HandlerName } from './uploads/handlers.ts';

const SIZES: Record<string, number> = { '1 KB': 1e3, '1 MB': 1e6, '10 MB': 1e7, '30 MB': 3e7 };
const AT_ONCE = [1, 16];

async function measure(handler: HandlerName, bytes: number, atOnce: number): Promise<Measured> {
  const child = fork(join(import.meta.dirname, 'uploads/case.ts'), [handler, `${bytes}`, `${atOnce}`], {
    execArgv: ['--expose-gc'],
  });
  const [measured] = (await once(child, 'message')) as [Measured];
  await once(child, 'exit');
  return measured;
}

console.log('| file | at once | handler | ms a request | of bare busboy | memory beside the bodies |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [label, bytes] of Object.entries(SIZES)) {
  for (const atOnce of AT_ONCE) {
    for (const handler of Object.keys(HANDLERS) as HandlerName[]) {
      const { milliseconds, bareMilliseconds, extraBytes } = await measure(handler, bytes, atOnce);
      const ratio = (milliseconds / bareMilliseconds).toFixed(2);
      const memory = `${(extraBytes / 1e6).toFixed(1)} MB (${((100 * extraBytes) / (bytes * atOnce)).toFixed(0)} %)`;
      console.log(
        `| ${label} | ${atOnce} | ${handler} | ${milliseconds.toFixed(3)} | ${ratio} | ${memory} |`,
      );
    }
  }
}
