import { FieldValue } from '@google-cloud/firestore';
import type { Firestore, Pipelines } from '@google-cloud/firestore';
import {
  and,
  arrayAgg,
  average,
  constant,
  count,
  countAll,
  countDistinct,
  descending,
  field,
  first,
  map,
  maximum,
  minimum,
  multiply,
  sum,
} from '@google-cloud/firestore/pipelines';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFirestoreServer } from '../../server.ts';
import type { FirestoreServer } from '../../server.ts';
import { connect, DATABASE } from '../../testing.ts';

// https://firebase.google.com/docs/firestore/pipelines/stages

let server: FirestoreServer;
let firestore: Firestore;

const CITIES: Record<string, object> = {
  lima: { country: 'PE', size: 10, tags: ['coast', 'old'], at: FieldValue.vector([1, 1]) },
  oslo: { country: 'NO', size: 1, tags: ['coast'], at: FieldValue.vector([4, 5]) },
  rome: { country: 'IT', size: 3, tags: 'old', at: FieldValue.vector([-1, -1]), mayor: { name: 'R' } },
  turin: { country: 'IT', size: null },
};

beforeAll(async () => {
  server = await startFirestoreServer();
  firestore = connect(server);
  await Promise.all(Object.entries(CITIES).map(([id, city]) => firestore.doc(`cities/${id}`).set(city)));
  await firestore.doc('cities/lima/districts/centro').set({ size: 2 });
  await firestore.doc('cities/rome/districts/prati').set({ size: 1 });
});

afterAll(async () => {
  await firestore.terminate();
  await server.close();
});

const cities = () => firestore.pipeline().collection('cities');
const ids = async (pipeline: Pipelines.Pipeline) => (await pipeline.execute()).results.map(({ id }) => id);
const data = async (pipeline: Pipelines.Pipeline) =>
  (await pipeline.execute()).results.map((result) => result.data());

const SOURCES: [title: string, () => Pipelines.Pipeline, string[]][] = [
  ['a collection', cities, ['lima', 'oslo', 'rome', 'turin']],
  [
    'a collection below a document',
    () => firestore.pipeline().collection('cities/lima/districts'),
    ['centro'],
  ],
  ['a collection group', () => firestore.pipeline().collectionGroup('districts'), ['centro', 'prati']],
  ['documents', () => firestore.pipeline().documents(['cities/rome', 'cities/none']), ['rome']],
  ['a database', () => firestore.pipeline().database(), ['lima', 'centro', 'oslo', 'rome', 'prati', 'turin']],
  [
    'a query',
    () => firestore.pipeline().createFrom(firestore.collection('cities').where('size', '<', 5).limit(1)),
    ['oslo'],
  ],
];

test.each(SOURCES)('%s is a source', async (_title, build, expected) => {
  expect(await ids(build())).toEqual(expected);
});

const SELECTIONS: [title: string, (pipeline: Pipelines.Pipeline) => Pipelines.Pipeline, string[]][] = [
  ['where', (all) => all.where(field('size').greaterThan(2)), ['lima', 'rome']],
  [
    'where, without documents that lack a field',
    (all) => all.where(and(field('mayor').exists(), field('mayor.name').equal('R'))),
    ['rome'],
  ],
  ['sort, with null first', (all) => all.sort(field('size').ascending()), ['turin', 'oslo', 'rome', 'lima']],
  [
    'sort by several, with the absent value first',
    (all) => all.sort(field('mayor').ascending(), descending('size')),
    ['lima', 'oslo', 'turin', 'rome'],
  ],
  ['offset and limit', (all) => all.offset(1).limit(2), ['oslo', 'rome']],
  ['union', (all) => all.limit(1).union(cities().limit(2)), ['lima', 'lima', 'oslo']],
  [
    'find_nearest',
    (all) => all.findNearest({ field: 'at', vectorValue: [1, 2], limit: 2, distanceMeasure: 'euclidean' }),
    ['lima', 'rome'],
  ],
];

test.each(SELECTIONS)('rows are chosen by %s', async (_title, build, expected) => {
  expect(await ids(build(cities()))).toEqual(expected);
});

test('sample takes as many rows as there are', async () => {
  expect((await ids(cities().sample(3))).length).toBe(3);
  expect((await ids(cities().sample(9))).toSorted()).toEqual(['lima', 'oslo', 'rome', 'turin']);
});

const RESULTS: [title: string, (pipeline: Pipelines.Pipeline) => Pipelines.Pipeline, object[]][] = [
  [
    'select, with nested fields',
    (all) => all.where(field('mayor').exists()).select('mayor.name', multiply('size', 2).as('twice')),
    [{ mayor: { name: 'R' }, twice: 6 }],
  ],
  [
    'add_fields and remove_fields',
    (all) => all.limit(1).addFields(constant('x').as('extra')).removeFields('tags', 'at', 'size'),
    [{ country: 'PE', extra: 'x' }],
  ],
  ['replace_with', (all) => all.limit(1).replaceWith(map({ of: field('country') })), [{ of: 'PE' }]],
  [
    'unnest with an index',
    (all) => all.limit(1).unnest(field('tags').as('tag'), 'n').select('tag', 'n'),
    [
      { tag: 'coast', n: 0 },
      { tag: 'old', n: 1 },
    ],
  ],
  [
    'unnest of a value that is no array',
    (all) => all.where(field('mayor').exists()).unnest(field('tags').as('tag'), 'n').select('tags', 'n'),
    [{ tags: 'old', n: null }],
  ],
  [
    'find_nearest with the distance',
    (all) =>
      all
        .findNearest({
          field: 'at',
          vectorValue: [1, 2],
          limit: 1,
          distanceMeasure: 'dot_product',
          distanceField: 'near',
        })
        .select('near'),
    [{ near: 14 }],
  ],
  [
    'select, with a name that is no field path',
    (all) => all.limit(1).select(field('country').as('of-country')),
    [{ 'of-country': 'PE' }],
  ],
  ['distinct', (all) => all.distinct('country'), [{ country: 'PE' }, { country: 'NO' }, { country: 'IT' }]],
  [
    'aggregate',
    (all) =>
      all.aggregate(
        countAll().as('all'),
        count('size').as('sizes'),
        countDistinct('country').as('countries'),
        sum('size').as('sum'),
        average('size').as('average'),
        minimum('size').as('least'),
        maximum('size').as('most'),
        first('size').as('first'),
        arrayAgg('size').as('list'),
      ),
    [
      {
        all: 4,
        sizes: 3,
        countries: 3,
        sum: 14,
        average: 14 / 3,
        least: 1,
        most: 10,
        first: 10,
        list: [10, 1, 3, null],
      },
    ],
  ],
  [
    'aggregate by groups',
    (all) => all.aggregate({ accumulators: [countAll().as('n')], groups: ['country'] }),
    [
      { country: 'PE', n: 1 },
      { country: 'NO', n: 1 },
      { country: 'IT', n: 2 },
    ],
  ],
  [
    'aggregate of nothing',
    (all) => all.limit(0).aggregate(countAll().as('n'), sum('size').as('sum'), average('size').as('average')),
    [{ n: 0, sum: 0, average: null }],
  ],
  [
    'aggregate of nothing by groups',
    (all) => all.limit(0).aggregate({ accumulators: [countAll().as('n')], groups: ['country'] }),
    [],
  ],
];

test.each(RESULTS)('results are made by %s', async (_title, build, expected) => {
  expect(await data(build(cities()))).toEqual(expected);
});

test('a result has its document until a stage makes new rows', async () => {
  const [whole] = (await cities().limit(1).execute()).results;
  expect(whole?.ref?.path).toBe('cities/lima');
  expect(whole?.createTime).toEqual(whole?.updateTime);
  const [chosen] = (await cities().limit(1).select('size').execute()).results;
  expect([chosen?.ref, chosen?.createTime]).toEqual([undefined, undefined]);
  const [named] = (await cities().limit(1).select('__name__').execute()).results;
  expect(named?.ref?.path).toBe('cities/lima');
});

test('a transaction sees one state, and locks what its pipelines read', async () => {
  const total = await firestore.runTransaction(async (transaction) => {
    const { results } = await transaction.execute(cities().aggregate(sum('size').as('sum')));
    transaction.set(firestore.doc('totals/cities'), { sum: results[0]?.get('sum') as number });
    return results[0]?.get('sum') as number;
  });
  expect((await firestore.doc('totals/cities').get()).get('sum')).toBe(total);
  await firestore.doc('totals/cities').delete();
});

describe('invalid:', () => {
  const raw = (name: string, ...args: unknown[]) =>
    cities()
      .rawStage(name, args as Pipelines.Expression[])
      .execute();

  test.each<[title: string, () => Promise<unknown>, message: string]>([
    [
      'select without a map',
      () => raw('select', field('size')),
      'Expected fields to be MAP_VALUE, but was FIELD_REFERENCE_VALUE.',
    ],
    ['a negative limit', () => raw('limit', -1), 'needs an integer of at least zero'],
    ['an offset that is no number', () => raw('offset', 'a'), 'needs an integer of at least zero'],
    [
      'a direction that does not exist',
      () => raw('sort', { expression: field('a'), direction: 'up' }),
      'no direction',
    ],
    ['a source in the middle', () => raw('collection', '/c'), 'must be the first one'],
    ['aggregate without a function', () => raw('aggregate', {}, {}), 'at least one aggregate function'],
    ['replace_with of no map', () => raw('replace_with', constant(1)), 'needs a map'],
  ])('%s', async (_title, run, message) => {
    await expect(run()).rejects.toMatchObject({
      code: 3,
      details: expect.stringContaining(message) as string,
    });
  });

  test('a stage of the Enterprise edition alone is not implemented', async () => {
    await expect(raw('search', {})).rejects.toMatchObject({
      code: 12,
      details:
        'The stage "search" of a pipeline is not implemented in this emulator. Databases of the Enterprise edition are ' +
        'not emulated.',
    });
  });
});

test('an explanation names the stages, and with an execution its counts', async () => {
  const { results, explainStats } = await cities()
    .limit(2)
    .execute({ explainOptions: { mode: 'analyze' } });
  expect(results).toHaveLength(2);
  expect(explainStats?.text).toContain('limit');
  expect(explainStats?.text).toContain('results returned: 2');
});

test('a pipeline costs a read for each document of its source', async () => {
  const usage = `http://${server.host}:${server.port}/emulator/v1/projects/demo-test:usage`;
  await fetch(usage, { method: 'DELETE' });
  await cities().where(field('size').equal(3)).execute();
  expect(await (await fetch(usage)).json()).toMatchObject({ reads: 4 });
});

test('REST answers pipelines too', async () => {
  const response = await fetch(
    `http://${server.host}:${server.port}/v1/${DATABASE}/documents:executePipeline`,
    {
      method: 'POST',
      headers: { authorization: 'Bearer owner' },
      body: JSON.stringify({
        structuredPipeline: {
          pipeline: {
            stages: [
              { name: 'collection', args: [{ referenceValue: '/cities' }] },
              { name: 'limit', args: [{ integerValue: '1' }] },
              { name: 'select', args: [{ mapValue: { fields: { size: { fieldReferenceValue: 'size' } } } }] },
            ],
          },
        },
      }),
    },
  );
  expect(await response.json()).toMatchObject([{ results: [{ fields: { size: { integerValue: '10' } } }] }]);
});
