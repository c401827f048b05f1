import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Value } from '../model/value.ts';
import { parseQuery } from '../query/parsing/query.ts';
import { runQuery } from '../query/run.ts';
import { Database } from '../storage/database.ts';
import type { StoredDocument } from '../storage/document.ts';
import { ManualClock, ROOT } from '../testing.ts';
import { FilterView } from './filter-view.ts';
import { difference } from './target-view.ts';
import type { ViewChange } from './target-view.ts';
import { WindowView } from './window-view.ts';

const write = fc.record({
  id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
  a: fc.option(fc.bigInt({ min: 0n, max: 4n })),
});
const commits = fc.array(fc.uniqueArray(write, { selector: ({ id }) => id, minLength: 1 }), {
  maxLength: 12,
});
const shape = fc.record({ limit: fc.option(fc.integer({ min: 1, max: 3 })), offset: fc.nat({ max: 2 }) });

/** Applies a commit as the server does: null deletes. */
function commit(database: Database, writes: readonly { id: string; a: bigint | null }[]) {
  const time = database.nextCommitTime();
  const changes = writes.map(({ id, a }) => {
    const path = `c/${id}`;
    const before = database.get(path);
    const fields = new Map<string, Value>([['a', a]]);
    const after = { path, fields, createTime: before?.createTime ?? time, updateTime: time };
    return { path, before, after: a === null ? undefined : after };
  });
  database.apply(changes, time);
  return changes;
}

function apply(held: Map<string, StoredDocument>, changes: readonly ViewChange[]): void {
  for (const { path, document, inView } of changes) {
    if (inView && document) held.set(path, document);
    else held.delete(path);
  }
}

const sorted = (documents: Iterable<StoredDocument>): string[] =>
  [...documents].map(({ path, updateTime }) => `${path}@${updateTime}`).sort();

test('the changes of a view add up to the result of its query, also after a resume', () => {
  fc.assert(
    fc.property(commits, shape, fc.nat(), (history, { limit, offset }, pick) => {
      const database = new Database('projects/p/databases/(default)', new ManualClock());
      const query = parseQuery(
        {
          from: [{ collectionId: 'c' }],
          where: {
            fieldFilter: { field: { fieldPath: 'a' }, op: 'GREATER_THAN', value: { integerValue: '1' } },
          },
          offset,
          ...(limit !== null && { limit: { value: limit } }),
        },
        ROOT,
      );
      const view =
        limit === null && offset === 0 ? new FilterView(database, query) : new WindowView(database, query);
      const held = new Map(view.open().map((document) => [document.path, document]));
      const states: { time: number; held: Map<string, StoredDocument> }[] = [];
      for (const writes of history) {
        apply(held, view.changesBy(commit(database, writes)));
        expect(sorted(held.values())).toEqual(sorted(runQuery(database, query).documents));
        states.push({ time: database.readTime(), held: new Map(held) });
      }
      const resumed = states[pick % Math.max(1, states.length)];
      if (!resumed) return;
      const now = runQuery(database, query).documents;
      apply(
        resumed.held,
        difference(view.at(resumed.time), now, (path) => database.get(path)),
      );
      expect(sorted(resumed.held.values())).toEqual(sorted(now));
    }),
  );
});
