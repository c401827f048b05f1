import { invalidArgument } from '../errors.ts';
import { getField, parseFieldPath, withField } from '../model/field-path.ts';
import type { FieldPath } from '../model/field-path.ts';
import { isMap, isNumeric, vectorElements } from '../model/value.ts';
import type { MapValue, Value } from '../model/value.ts';
import type { WireFindNearest } from '../wire/messages.ts';
import { decodeValue } from '../wire/value-codec.ts';

type Measure = 'EUCLIDEAN' | 'COSINE' | 'DOT_PRODUCT';
type Vector = readonly number[];

/** A search for the documents whose vectors are nearest to one. */
export interface Nearest {
  readonly field: FieldPath;
  readonly vector: Vector;
  readonly measure: Measure;
  readonly limit: number;
  /** The field of the result for the distance; undefined leaves it out. */
  readonly resultField: FieldPath | undefined;
  /** The largest distance, or the smallest dot product, that is near enough. */
  readonly threshold: number | undefined;
}

const MAX_LIMIT = 1_000;

/** Reads a FindNearest message. Throws INVALID_ARGUMENT. */
export function parseNearest(wire: WireFindNearest): Nearest {
  const vector = wire.queryVector && asVector(decodeValue(wire.queryVector));
  if (!vector || vector.length === 0) throw invalidArgument('find_nearest needs a query vector.');
  const limit = wire.limit?.value ?? 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw invalidArgument(`The limit of find_nearest must be between 1 and ${MAX_LIMIT}.`);
  }
  const { distanceResultField: result } = wire;
  return {
    field: parseFieldPath(wire.vectorField?.fieldPath ?? ''),
    vector,
    measure: measureOf(wire.distanceMeasure),
    limit,
    resultField: result === undefined || result === '' ? undefined : parseFieldPath(result),
    threshold: wire.distanceThreshold && (wire.distanceThreshold.value ?? 0),
  };
}

function measureOf(measure: string | undefined): Measure {
  if (measure === 'EUCLIDEAN' || measure === 'COSINE' || measure === 'DOT_PRODUCT') return measure;
  throw invalidArgument('find_nearest needs a distance measure.');
}

/** The nearest documents, nearest first. Documents without a vector of that dimension are left out. */
export function nearestOf<T extends { readonly fields: MapValue }>(
  nearest: Nearest,
  documents: readonly T[],
): readonly T[] {
  const { field, vector, measure, threshold, limit, resultField } = nearest;
  // Vectors are the nearer the larger their dot product is.
  const sign = measure === 'DOT_PRODUCT' ? -1 : 1;
  return documents
    .flatMap((document) => {
      const own = asVector(getField(document.fields, field));
      return own?.length === vector.length ? { document, distance: DISTANCES[measure](own, vector) } : [];
    })
    .filter(({ distance }) => threshold === undefined || sign * distance <= sign * threshold)
    .sort((left, right) => sign * (left.distance - right.distance))
    .slice(0, limit)
    .map(({ document, distance }) =>
      resultField ? { ...document, fields: withField(document.fields, resultField, distance) } : document,
    );
}

/** The elements of a vector, or undefined for another value. */
export function asVector(value: Value | undefined): Vector | undefined {
  const elements = isMap(value) ? vectorElements(value) : undefined;
  return elements?.every(isNumeric) === true ? elements.map(Number) : undefined;
}

const dot = (left: Vector, right: Vector): number =>
  left.reduce((sum, element, index) => sum + element * (right[index] ?? 0), 0);

export const DISTANCES: Readonly<Record<Measure, (left: Vector, right: Vector) => number>> = {
  EUCLIDEAN: (left, right) => Math.hypot(...left.map((element, index) => element - (right[index] ?? 0))),
  COSINE: (left, right) => 1 - dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right)),
  DOT_PRODUCT: dot,
};
