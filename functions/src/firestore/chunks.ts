/** Values in one `in` filter. https://firebase.google.com/docs/firestore/query-data/queries#limitations */
const MAX_IN = 30;

/** Splits values into lists, by default short enough for an `in` filter. */
export function inChunks<Value>(values: readonly Value[], size = MAX_IN): Value[][] {
  const starts = Array.from({ length: Math.ceil(values.length / size) }, (_, index) => index * size);
  return starts.map((start) => values.slice(start, start + size));
}
