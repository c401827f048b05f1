import { AggregateField, FieldPath, Filter } from '@google-cloud/firestore';
import type { Firestore, Query } from '@google-cloud/firestore';
import { firestoreRules } from '@hearth/security-rules/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFirestoreServer } from '../../server.ts';
import type { FirestoreServer } from '../../server.ts';
import { connect, DATABASE } from '../../testing.ts';

// https://firebase.google.com/docs/firestore/query-explain

let server: FirestoreServer;
let firestore: Firestore;

beforeAll(async () => {
  server = await startFirestoreServer({ rules: firestoreRules('match /c/{id} { allow read; }') });
  firestore = connect(server);
  for (const [id, a] of Object.entries({ x: 1, y: 2, z: 2 })) {
    await firestore.doc(`c/${id}`).set({ a, b: 0, tags: ['t'] });
  }
});

afterAll(async () => {
  await firestore.terminate();
  await server.close();
});

const PLANS: [title: string, (c: Query) => Query, properties: string[]][] = [
  ['a whole collection', (c) => c, ['(__name__ ASC)']],
  ['an order', (c) => c.orderBy('a', 'desc'), ['(a DESC, __name__ DESC)']],
  ['an equality', (c) => c.where('a', '==', 2), ['(a ASC, __name__ ASC)']],
  [
    'an equality and a range',
    (c) => c.where('a', '==', 2).where('b', '>', 1),
    ['(a ASC, b ASC, __name__ ASC)'],
  ],
  ['array-contains', (c) => c.where('tags', 'array-contains', 't'), ['(tags CONTAINS, __name__ ASC)']],
  [
    'an OR',
    (c) => c.where(Filter.or(Filter.where('a', '==', 1), Filter.where('b', '==', 1))),
    ['(a ASC, __name__ ASC)', '(b ASC, __name__ ASC)'],
  ],
  ['a name', (c) => c.where(FieldPath.documentId(), '==', 'x'), ['(__name__ ASC)']],
];

describe('the plan of', () => {
  test.each(PLANS)('%s', async (_title, build, properties) => {
    const { metrics, snapshot } = await build(firestore.collection('c')).explain();
    expect(metrics.planSummary.indexesUsed).toEqual(
      properties.map((text) => ({ query_scope: 'Collection', properties: text })),
    );
    expect([metrics.executionStats, snapshot]).toEqual([null, null]);
  });

  test('a collection group', async () => {
    const { metrics } = await firestore.collectionGroup('c').explain();
    expect(metrics.planSummary.indexesUsed).toEqual([
      { query_scope: 'Collection group', properties: '(__name__ ASC)' },
    ]);
  });

  test('an aggregation', async () => {
    const { metrics, snapshot } = await firestore
      .collection('c')
      .aggregate({ sum: AggregateField.sum('a') })
      .explain();
    expect(metrics.planSummary.indexesUsed).toEqual([
      { query_scope: 'Collection', properties: '(a ASC, __name__ ASC)' },
    ]);
    expect(snapshot).toBeNull();
  });
});

interface ExplainPart {
  readonly document: { readonly id: string };
  readonly metrics: { readonly executionStats: { readonly resultsReturned: number } | null };
}

describe('an execution has its counts:', () => {
  test('a query', async () => {
    const query = firestore.collection('c').where('a', '==', 2).offset(1);
    const { metrics, snapshot } = await query.explain({ analyze: true });
    expect(snapshot?.docs.map(({ id }) => id)).toEqual(['z']);
    expect(metrics.executionStats).toMatchObject({
      resultsReturned: 1,
      readOperations: 2,
      debugStats: {
        documents_scanned: '2',
        billing_details: { documents_billable: '2', min_query_cost: '0' },
      },
    });
    expect(metrics.executionStats?.executionDuration.nanoseconds).toBeGreaterThan(0);
  });

  test('a stream, with its last document', async () => {
    const seen: [string | undefined, number | undefined][] = [];
    for await (const part of firestore.collection('c').limit(2).explainStream({ analyze: true })) {
      const { document, metrics } = part as unknown as Partial<ExplainPart>;
      seen.push([document?.id, metrics?.executionStats?.resultsReturned]);
    }
    expect(seen).toEqual([
      ['x', undefined],
      ['y', 2],
    ]);
  });

  test('a query without a result', async () => {
    const { metrics } = await firestore.collection('empty').explain({ analyze: true });
    expect(metrics.executionStats).toMatchObject({
      resultsReturned: 0,
      readOperations: 1,
      debugStats: { billing_details: { min_query_cost: '1' } },
    });
  });

  test('an aggregation', async () => {
    const { metrics, snapshot } = await firestore.collection('c').count().explain({ analyze: true });
    expect(snapshot?.data().count).toBe(3);
    expect(metrics.executionStats).toMatchObject({
      resultsReturned: 1,
      readOperations: 1,
      debugStats: { documents_scanned: '0', billing_details: { index_entries_billable: '3' } },
    });
  });
});

describe('over REST', () => {
  const explain = async (headers: Record<string, string>): Promise<unknown> => {
    const response = await fetch(`http://${server.host}:${server.port}/v1/${DATABASE}/documents:runQuery`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        structuredQuery: { from: [{ collectionId: 'empty' }] },
        explainOptions: { analyze: true },
      }),
    });
    return response.json();
  };

  test('the metrics are plain JSON', async () => {
    const [{ explainMetrics }] = (await explain({ authorization: 'Bearer owner' })) as [
      { explainMetrics: unknown },
    ];
    expect(explainMetrics).toEqual({
      planSummary: { indexesUsed: [{ query_scope: 'Collection', properties: '(__name__ ASC)' }] },
      executionStats: {
        resultsReturned: '0',
        executionDuration: expect.stringMatching(/^\d+\.\d{9}s$/) as unknown,
        readOperations: '1',
        debugStats: {
          index_entries_scanned: '0',
          documents_scanned: '0',
          billing_details: { documents_billable: '0', index_entries_billable: '0', min_query_cost: '1' },
        },
      },
    });
  });

  test('end users explain no query', async () => {
    expect(await explain({})).toMatchObject([{ error: { status: 'PERMISSION_DENIED' } }]);
  });
});
