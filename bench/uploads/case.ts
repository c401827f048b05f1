/** One case: `case.ts <handler> <bytes> <concurrency>`, in a process of its own. Sends what it has measured. */
import { randomFillSync } from 'node:crypto';
import { form } from '../../functions/src/uploads/testing/forms.ts';
import { HANDLERS, type HandlerName, type Handler } from './handlers.ts';
import { startSink } from './sink.ts';

export interface Measured {
  /** Time of one request when all run concurrently: the median of the rounds. */
  milliseconds: number;
  /** Time of one request with bare busboy, in rounds between the others, so that both run under the same load. */
  bareMilliseconds: number;
  /** Peak growth of the process, without the bodies. */
  extraBytes: number;
}

const ROUNDS_UP_TO_BYTES = 300_000_000;

const [, , name = '', bytes = '', atOnce = ''] = process.argv;
const isText = name.startsWith('a text');
const sink = await startSink();
const handler: Handler = HANDLERS[name as HandlerName](sink.url);

/**
 * A form with text, or with noise that begins like a PDF. Created in place, because a copy would raise the peak memory
 * and hide the memory of the handlers.
 */
function request(size: number) {
  const [file, type, content] = isText
    ? ['a.txt', 'text/plain', 'Grüße aus Köln.\n']
    : ['a.pdf', 'application/pdf', '%PDF-1.7\n'];
  const disposition = `Content-Disposition: form-data; name="file"; filename="${file}"`;
  const empty = form([{ headers: [disposition, `Content-Type: ${type}`], body: content }]);
  const start = empty.body.indexOf(content) + Buffer.byteLength(content);
  const body = Buffer.allocUnsafeSlow(empty.body.length + size);
  empty.body.copy(body, 0, 0, start);
  empty.body.copy(body, start + size, start);
  if (isText) body.fill('Words, words and words.\n', start, start + size);
  else randomFillSync(body, start, size);
  return { headers: { ...empty.headers, 'content-length': `${body.length}` }, body };
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
async function timeOf(measured: Handler): Promise<number> {
  const start = performance.now();
  await Promise.all(requests.map(measured));
  return (performance.now() - start) / count;
}

const peak = () => process.resourceUsage().maxRSS * 1024;

for (let warmUp = 0; warmUp < 20; warmUp++) await handler(request(1_000));
const count = Number(atOnce);
const requests = Array.from({ length: count }, () => request(Number(bytes)));
globalThis.gc?.();
const before = peak();
const rounds = Math.min(200, Math.max(5, Math.floor(ROUNDS_UP_TO_BYTES / (Number(bytes) * count))));
const bare = HANDLERS['bare busboy']();
const times: { own: number[]; bare: number[] } = { own: [], bare: [] };
let grown = 0;
for (let round = 0; round < rounds; round++) {
  times.own.push(await timeOf(handler));
  // Garbage that piles up from round to round does not belong to one request.
  if (round === 0) grown = peak() - before;
  times.bare.push(await timeOf(bare));
}
process.send?.({
  milliseconds: median(times.own),
  bareMilliseconds: median(times.bare),
  extraBytes: grown,
} satisfies Measured);
await sink.close();
process.disconnect();
