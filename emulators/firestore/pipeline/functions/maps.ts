import { invalidArgument } from '../../errors.ts';
import type { MapValue, Value } from '../../model/value.ts';
import type { Result } from '../row.ts';
import { asMap, asString, eager, ONE_OR_MORE, strict } from './define.ts';
import type { Functions } from './define.ts';

// https://firebase.google.com/docs/firestore/pipelines/functions/map-functions

/** The map with keys and values, one after the other. An absent value removes its key. */
function withEntries(map: MapValue, entries: readonly Result[]): MapValue {
  if (entries.length % 2 === 1) throw invalidArgument('A map needs a value for each key.');
  const copy = new Map(map);
  for (let index = 0; index < entries.length; index += 2) {
    const key = asString(entries[index]);
    const value = entries[index + 1];
    if (value === undefined) copy.delete(key);
    else copy.set(key, value);
  }
  return copy;
}

const get = ([map, key]: readonly Value[]): Result => asMap(map).get(asString(key));

export const MAPS: Functions = {
  map: eager([0, Infinity], (entries) => withEntries(new Map(), entries)),
  map_get: strict([2, 2], get),
  get_field: strict([2, 2], get),
  map_set: eager([3, Infinity], ([map, ...entries]) =>
    map === undefined || map === null ? null : withEntries(asMap(map), entries),
  ),
  map_remove: strict([2, Infinity], ([map, ...keys]) => {
    const copy = new Map(asMap(map));
    for (const key of keys) copy.delete(asString(key));
    return copy;
  }),
  map_merge: strict(ONE_OR_MORE, (maps) => new Map(maps.flatMap((map) => [...asMap(map)]))),
  map_keys: strict([1, 1], ([map]) => [...asMap(map).keys()]),
  map_values: strict([1, 1], ([map]) => [...asMap(map).values()]),
  map_entries: strict([1, 1], ([map]) =>
    Array.from(
      asMap(map),
      ([key, value]) =>
        new Map<string, Value>([
          ['k', key],
          ['v', value],
        ]),
    ),
  ),
};
