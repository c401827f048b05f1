import { invalidArgument } from '../../errors.ts';
import { lastSegment, parentOf } from '../../model/paths.ts';
import { isArray, isMap, Reference, vectorElements } from '../../model/value.ts';
import type { Value } from '../../model/value.ts';
import { asVector, DISTANCES } from '../../query/nearest.ts';
import { typeName } from '../type-name.ts';
import { asString, eager, strict } from './define.ts';
import type { FunctionDefinition, Functions } from './define.ts';
import { codePoints } from './sequence.ts';

// Types, references and vectors:
// https://firebase.google.com/docs/firestore/pipelines/functions/type-functions
// https://firebase.google.com/docs/firestore/pipelines/functions/reference-functions
// https://firebase.google.com/docs/firestore/pipelines/functions/vector-functions

function asReference(value: Value | undefined): Reference {
  if (value instanceof Reference) return value;
  throw invalidArgument('A function of the pipeline needs a reference.');
}

function vectorOf(value: Value | undefined): readonly number[] {
  const vector = asVector(value);
  if (vector) return vector;
  throw invalidArgument('A function of the pipeline needs a vector.');
}

const distance = (measure: keyof typeof DISTANCES): FunctionDefinition =>
  strict([2, 2], ([left, right]) => {
    const vectors = [vectorOf(left), vectorOf(right)] as const;
    if (vectors[0].length !== vectors[1].length) {
      throw invalidArgument('The vectors must have the same length.');
    }
    return DISTANCES[measure](...vectors);
  });

function lengthOf(value: Value | undefined): number {
  if (typeof value === 'string') return codePoints(value).length;
  if (value instanceof Uint8Array || isArray(value)) return value.length;
  if (isMap(value)) return vectorElements(value)?.length ?? value.size;
  throw invalidArgument(`A value of the type ${typeName(value)} has no length.`);
}

const isType = (type: string, name: string): boolean =>
  name === 'number' ? type === 'int64' || type === 'float64' : type === name;

export const VALUES: Functions = {
  type: eager([1, 1], ([value]) => (value === undefined ? undefined : typeName(value))),
  is_type: eager([2, 2], ([value, name]) =>
    value === undefined ? null : isType(typeName(value), asString(name)),
  ),
  length: strict([1, 1], ([value]) => BigInt(lengthOf(value))),
  collection_id: strict([1, 1], ([value]) => lastSegment(parentOf(asReference(value).name))),
  document_id: strict([1, 1], ([value]) => lastSegment(asReference(value).name)),
  parent: strict([1, 1], ([value]) => {
    const parent = parentOf(parentOf(asReference(value).name));
    return parent.endsWith('/documents') ? null : new Reference(parent);
  }),
  cosine_distance: distance('COSINE'),
  dot_product: distance('DOT_PRODUCT'),
  euclidean_distance: distance('EUCLIDEAN'),
  vector_length: strict([1, 1], ([value]) => BigInt(vectorOf(value).length)),
};
