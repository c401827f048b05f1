import type { FieldPath } from '../model/field-path.ts';
import { identicalValues } from '../model/identical.ts';
import { isMap } from '../model/value.ts';
import type { MapValue } from '../model/value.ts';

/** The fields that differ, within maps that both sides have. */
export function changedFields(before: MapValue, after: MapValue): FieldPath[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): FieldPath[] => {
    const [old, current] = [before.get(name), after.get(name)];
    if (isMap(old) && isMap(current)) return changedFields(old, current).map((path) => [name, ...path]);
    return old !== undefined && current !== undefined && identicalValues(old, current) ? [] : [[name]];
  });
}
