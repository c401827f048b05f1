import { invalidArgument } from '../../errors.ts';
import { Timestamp } from '../../model/timestamp.ts';
import type { Value } from '../../model/value.ts';
import { assertTimestamp } from '../../wire/value-codec.ts';
import { asInteger, asString, asTimestamp, strict } from './define.ts';
import type { FunctionDefinition, Functions } from './define.ts';
import { truncated } from './truncate.ts';

// https://firebase.google.com/docs/firestore/pipelines/functions/timestamp-functions

const MICROS: Readonly<Record<string, bigint>> = {
  microsecond: 1n,
  millisecond: 1_000n,
  second: 1_000_000n,
  minute: 60_000_000n,
  hour: 3_600_000_000n,
  day: 86_400_000_000n,
};

function unitOf(name: Value | undefined): bigint {
  const micros = MICROS[asString(name).toLowerCase()];
  if (micros !== undefined) return micros;
  throw invalidArgument(`${asString(name)} is not a unit of time.`);
}

const microsOf = (value: Value | undefined): bigint => {
  const { seconds, nanos } = asTimestamp(value);
  return BigInt(seconds) * 1_000_000n + BigInt(Math.floor(nanos / 1_000));
};

/** Rounds down, also before 1970. */
const floorDivide = (value: bigint, divisor: bigint): bigint =>
  (value - (((value % divisor) + divisor) % divisor)) / divisor;

function timestampOf(micros: bigint): Timestamp {
  const seconds = floorDivide(micros, 1_000_000n);
  return assertTimestamp(new Timestamp(Number(seconds), Number(micros - seconds * 1_000_000n) * 1_000));
}

const fromUnix = (unit: bigint): FunctionDefinition =>
  strict([1, 1], ([count]) => timestampOf(BigInt(asInteger(count)) * unit));

const toUnix = (unit: bigint): FunctionDefinition =>
  strict([1, 1], ([time]) => floorDivide(microsOf(time), unit));

const moving = (sign: bigint): FunctionDefinition =>
  strict([3, 3], ([time, unit, amount]) =>
    timestampOf(microsOf(time) + sign * BigInt(asInteger(amount)) * unitOf(unit)),
  );

export const TIME: Functions = {
  current_timestamp: strict([0, 0], (_args, { context }) => Timestamp.fromMicros(context.time)),
  unix_micros_to_timestamp: fromUnix(1n),
  unix_millis_to_timestamp: fromUnix(1_000n),
  unix_seconds_to_timestamp: fromUnix(1_000_000n),
  timestamp_to_unix_micros: toUnix(1n),
  timestamp_to_unix_millis: toUnix(1_000n),
  timestamp_to_unix_seconds: toUnix(1_000_000n),
  timestamp_add: moving(1n),
  timestamp_subtract: moving(-1n),
  timestamp_diff: strict([3, 3], ([end, start, unit]) => (microsOf(end) - microsOf(start)) / unitOf(unit)),
  timestamp_trunc: strict([2, 3], ([time, unit, zone = 'UTC']) =>
    truncated(asTimestamp(time), asString(unit), asString(zone)),
  ),
};
