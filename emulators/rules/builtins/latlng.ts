import { EvaluationError } from '../errors.ts';
import { float, latlng, type LatLngValue } from '../value.ts';
import { expectType, numberOf } from './arguments.ts';
import type { FunctionTable, MethodTable } from './table.ts';

const EARTH_RADIUS_METRES = 6_371_010;

/** https://firebase.google.com/docs/reference/rules/rules.LatLng */
export const latlngMethods: MethodTable<LatLngValue> = {
  latitude: ({ latitude }) => float(latitude),
  longitude: ({ longitude }) => float(longitude),
  distance: (self, other) => float(distance(self, expectType(other, 'latlng'))),
};

/** https://firebase.google.com/docs/reference/rules/rules.latlng_ */
export const latlngFunctions: FunctionTable = {
  value: (latitude, longitude) => {
    const [north, east] = [numberOf(latitude), numberOf(longitude)];
    if (!(Math.abs(north) <= 90) || !(Math.abs(east) <= 180)) {
      throw new EvaluationError('Latitude or longitude out of range.');
    }
    return latlng(north, east);
  },
};

/** The great-circle distance in metres, by the haversine formula. */
function distance(from: LatLngValue, to: LatLngValue): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const haversine = (angle: number): number => Math.sin(angle / 2) ** 2;
  const inner =
    haversine(radians(to.latitude - from.latitude)) +
    Math.cos(radians(from.latitude)) *
      Math.cos(radians(to.latitude)) *
      haversine(radians(to.longitude - from.longitude));
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(inner)));
}
