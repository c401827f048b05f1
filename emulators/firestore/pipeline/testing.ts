/** Shared by the tests of pipelines. */
import type { Firestore, Pipelines } from '@google-cloud/firestore';
import { constant } from '@google-cloud/firestore/pipelines';

/** The result of an expression for the document `c/one`; undefined for the absent value. */
export type Evaluate = (expression: Pipelines.Expression) => Promise<unknown>;

/** Writes the document `c/one`, which has a field of each kind that the tests use. */
export async function evaluator(firestore: Firestore): Promise<Evaluate> {
  await firestore.doc('c/one').set({
    text: 'Grüße',
    none: null,
    nan: NaN,
    list: ['b', 'a', null, 'a'],
    numbers: [1, 2.5, 'x'],
    map: { a: 1, b: { c: 2 } },
    date: new Date('2024-02-29T23:30:15.250Z'),
  });
  return async (expression) => {
    const source = firestore.pipeline().collection('c');
    const { results } = await source.select(expression.as('result'), constant(1).as('one')).execute();
    return results[0]?.get('result') as unknown;
  };
}
