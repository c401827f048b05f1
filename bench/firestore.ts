/**
 * How fast the embedded Firestore is, beside a gRPC method that does nothing and beside a server that answers the same
 * messages without an engine (the bare limit), and what 100,000 documents of 1 KB cost: `node bench/firestore.ts`.
 * Compare the ratios; the rates depend on the machine.
 */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { EMPTY_SERVICE } from '@hearth/firestore-emulator/bench/empty-service';
import { LoadClient, ratePerSecond, WARM_UP_SECONDS } from '@hearth/firestore-emulator/bench/load';
import { startServer } from '@hearth/firestore-emulator/bench/server-process';
import { loadServiceDefinition } from '@hearth/firestore-emulator/wire/schema';

const SECONDS = 3;
const LISTENERS = 100;
const DOCUMENTS = 100_000;
const BATCH = 500;
const DATABASE = 'projects/demo-bench/databases/(default)';
const PARENT = `${DATABASE}/documents`;

/** 960 characters. */
const TEXTS = Array.from({ length: 1_000 }, () => randomBytes(480).toString('hex'));

const definition = loadServiceDefinition();
const methodOf = (name: string) => {
  const method = definition[name];
  if (!method) throw new Error(`There is no method ${name}.`);
  return method;
};
const nameOf = (n: number): string => `${PARENT}/items/${String(n).padStart(6, '0')}`;
const updateOf = (n: number): object => ({
  update: {
    name: nameOf(n),
    fields: {
      group: { integerValue: String(n % 10) },
      position: { integerValue: String(n) },
      text: { stringValue: TEXTS[n % TEXTS.length] },
    },
  },
});
const ratio = (rate: number, limit: number): number => Number((rate / limit).toFixed(2));
const random = (): number => Math.floor(Math.random() * DOCUMENTS);
const fieldFilter = (fieldPath: string, op: string, value: number): object => ({
  fieldFilter: { field: { fieldPath }, op, value: { integerValue: String(value) } },
});

const fileOf = (name: string) => fileURLToPath(import.meta.resolve(`@hearth/firestore-emulator/${name}`));
const empty = await startServer(fileOf('bench/empty-method'));
const emptyClient = new LoadClient(empty.address);
const callEmpty = () => emptyClient.unary(EMPTY_SERVICE.Call, Buffer.alloc(0));
const emptyRateBefore = await ratePerSecond(callEmpty, SECONDS);

const server = await startServer(fileOf('main'), '--port', '0');
const client = new LoadClient(server.address);
const emptyMiB = server.residentMiB();
for (let start = 0; start < DOCUMENTS; start += BATCH) {
  const writes = Array.from({ length: BATCH }, (_, offset) => updateOf(start + offset));
  await client.unary(methodOf('Commit'), { database: DATABASE, writes });
}
const loadedMiB = server.residentMiB();

const read = (client: LoadClient) => client.unary(methodOf('GetDocument'), { name: nameOf(random()) });
const commit = (client: LoadClient) =>
  client.unary(methodOf('Commit'), { database: DATABASE, writes: [updateOf(random())] });
/** Ten documents of 100,000, by an equality and a range. */
const query = (client: LoadClient) => {
  const from = Math.floor(random() / 2);
  const filters = [
    fieldFilter('group', 'EQUAL', from % 10),
    fieldFilter('position', 'GREATER_THAN_OR_EQUAL', from),
  ];
  const where = { compositeFilter: { op: 'AND', filters } };
  const structuredQuery = { from: [{ collectionId: 'items' }], where, limit: { value: 10 } };
  return client.stream(methodOf('RunQuery'), { parent: PARENT, structuredQuery });
};
const firstQueryAt = performance.now();
await query(client);
const firstQueryMs = performance.now() - firstQueryAt;
const CALLS = { 'single read': read, query, 'commit of one document': commit };
const rates: { name: string; rate: number; bare: number }[] = [];
for (const [name, call] of Object.entries(CALLS)) {
  const bare = await ratePerSecond(() => call(emptyClient), SECONDS);
  rates.push({ name, bare, rate: await ratePerSecond(() => call(client), SECONDS) });
}

const busyMiB = server.residentMiB();

/** Every commit changes the document that all listeners watch. */
const watched = nameOf(0);
const listeners = Array.from({ length: LISTENERS }, () =>
  client.open(methodOf('Listen'), {
    database: DATABASE,
    addTarget: { targetId: 1, documents: { documents: [watched] } },
  }),
);
const told = () => listeners.reduce((sum, listener) => sum + listener.count(), 0);
let version = 0;
/** Listeners would not be notified of a write that changes nothing. */
const change = () => ({
  update: { name: watched, fields: { version: { integerValue: String(version++) } } },
});
const toldBefore = told();
const changesPerSecond = await ratePerSecond(
  () => client.unary(methodOf('Commit'), { database: DATABASE, writes: [change()] }),
  SECONDS,
);
const messagesPerSecond = (told() - toldBefore) / (SECONDS + WARM_UP_SECONDS);
const toldMiB = server.residentMiB();
for (const listener of listeners) listener.end();

client.close();
await server.stop();
// The better of two, as the client is faster once it is warm.
const emptyRate = Math.max(emptyRateBefore, await ratePerSecond(callEmpty, SECONDS));
emptyClient.close();
await empty.stop();

console.log(`Node ${process.version}, ${String(SECONDS)} s each, 50 calls in flight\n`);
console.table({
  'empty gRPC method': { 'per second': Math.round(emptyRate), 'to the empty method': 1 },
  ...Object.fromEntries(
    rates.map(({ name, rate, bare }) => [
      name,
      {
        'per second': Math.round(rate),
        'to the empty method': ratio(rate, emptyRate),
        'bare limit': Math.round(bare),
        'bare limit to the empty method': ratio(bare, emptyRate),
        'to the bare limit': ratio(rate, bare),
      },
    ]),
  ),
});
console.log(
  `Fan-out: ${Math.round(changesPerSecond)} commits per second to a document with ${LISTENERS} listeners, ` +
    `who get ${Math.round(messagesPerSecond)} messages per second together.`,
);
console.log(`Start: ${server.startMs.toFixed(0)} ms.`);
console.log(`The first query, which makes its index: ${firstQueryMs.toFixed(0)} ms.`);
console.log(
  `Memory: ${emptyMiB.toFixed(0)} MiB at first, ${loadedMiB.toFixed(0)} MiB with ${String(DOCUMENTS)} documents of 1 KB, ` +
    `${busyMiB.toFixed(0)} MiB after the queries and commits, ${toldMiB.toFixed(0)} MiB with the listeners.`,
);
