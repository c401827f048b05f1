import { functionNotFound, nullValue } from '../errors.ts';
import type { Value } from '../value.ts';
import { bytesMethods } from './bytes.ts';
import { listMethods, setMethods } from './collections.ts';
import { toFloat, toInt, toPath, toStringValue } from './convert.ts';
import { hashingFunctions } from './hashing.ts';
import { latlngFunctions, latlngMethods } from './latlng.ts';
import { mapDiffMethods, mapMethods, partialMapMethods } from './map.ts';
import { mathFunctions } from './math.ts';
import { pathMethods } from './path.ts';
import { stringMethods } from './string.ts';
import { callMethod, type FunctionTable } from './table.ts';
import { durationFunctions, durationMethods, timestampFunctions, timestampMethods } from './time.ts';

/** Functions without a namespace that need nothing but their arguments. */
export const globalFunctions: FunctionTable = {
  int: (value) => toInt(value),
  float: (value) => toFloat(value),
  string: (value) => toStringValue(value),
  path: (value) => toPath(value),
  // The emulator's `debug` prints its argument to a log; only that it returns it matters to a rule.
  debug: (value) => value,
};

export const namespaces: ReadonlyMap<string, FunctionTable> = new Map([
  ['math', mathFunctions],
  ['hashing', hashingFunctions],
  ['duration', durationFunctions],
  ['timestamp', timestampFunctions],
  ['latlng', latlngFunctions],
]);

/** Calls `self.name(args)`; throws an EvaluationError. */
export function callOn(self: Value, name: string, args: readonly Value[]): Value {
  switch (self.type) {
    case 'list':
      return callMethod(listMethods, self, name, args);
    case 'set':
      return callMethod(setMethods, self, name, args);
    case 'map':
      return callMethod(mapMethods, self, name, args);
    case 'partialMap':
      return callMethod(partialMapMethods, self, name, args);
    case 'mapDiff':
      return callMethod(mapDiffMethods, self, name, args);
    default:
      return callOnScalar(self, name, args);
  }
}

type Scalar = Exclude<Value, { type: 'list' | 'set' | 'map' | 'partialMap' | 'mapDiff' }>;

function callOnScalar(self: Scalar, name: string, args: readonly Value[]): Value {
  switch (self.type) {
    case 'string':
      return callMethod(stringMethods, self, name, args);
    case 'bytes':
      return callMethod(bytesMethods, self, name, args);
    case 'path':
      return callMethod(pathMethods, self, name, args);
    case 'timestamp':
      return callMethod(timestampMethods, self, name, args);
    case 'duration':
      return callMethod(durationMethods, self, name, args);
    case 'latlng':
      return callMethod(latlngMethods, self, name, args);
    case 'null':
      throw nullValue();
    case 'bool':
    case 'int':
    case 'float':
    case 'unknown':
      throw functionNotFound(name);
  }
}
