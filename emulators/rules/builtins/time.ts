import { EvaluationError } from '../errors.ts';
import { duration, int, timestamp, type DurationValue, type TimestampValue } from '../value.ts';
import { expectType, integerOf, textOf } from './arguments.ts';
import type { FunctionTable, MethodTable } from './table.ts';

const SECOND = 1_000_000_000n;
const MILLISECOND = 1_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
const UNITS: Readonly<Record<string, bigint>> = {
  w: 7n * DAY,
  d: DAY,
  h: HOUR,
  m: MINUTE,
  s: SECOND,
  ms: MILLISECOND,
  ns: 1n,
};

/** Years 1 to 9999, the range of a protocol buffer timestamp. */
const MIN_TIMESTAMP = -62_135_596_800n * SECOND;
const MAX_TIMESTAMP = 253_402_300_799n * SECOND + SECOND - 1n;
/** About 10,000 years, the range of a protocol buffer duration. */
const MAX_DURATION = 315_576_000_000n * SECOND;

/** https://firebase.google.com/docs/reference/rules/rules.Timestamp; all in UTC. */
export const timestampMethods: MethodTable<TimestampValue> = {
  year: (self) => int(dateOf(self).getUTCFullYear()),
  month: (self) => int(dateOf(self).getUTCMonth() + 1),
  day: (self) => int(dateOf(self).getUTCDate()),
  dayOfWeek: (self) => int(dateOf(self).getUTCDay() || 7),
  dayOfYear: (self) => {
    const date = dateOf(self);
    const start = new Date(date);
    start.setUTCMonth(0, 1);
    return int(Math.round((date.getTime() - start.getTime()) / 86_400_000) + 1);
  },
  hours: ({ nanos }) => int(modulo(nanos, DAY) / HOUR),
  minutes: ({ nanos }) => int(modulo(nanos, HOUR) / MINUTE),
  seconds: ({ nanos }) => int(modulo(nanos, MINUTE) / SECOND),
  nanos: ({ nanos }) => int(modulo(nanos, SECOND)),
  toMillis: ({ nanos }) => int((nanos - modulo(nanos, MILLISECOND)) / MILLISECOND),
  date: ({ nanos }) => timestamp(nanos - modulo(nanos, DAY)),
  time: ({ nanos }) => duration(modulo(nanos, DAY)),
};

/** https://firebase.google.com/docs/reference/rules/rules.Duration */
export const durationMethods: MethodTable<DurationValue> = {
  seconds: ({ nanos }) => int(nanos / SECOND),
  nanos: ({ nanos }) => int(nanos % SECOND),
};

/** https://firebase.google.com/docs/reference/rules/rules.timestamp_ */
export const timestampFunctions: FunctionTable = {
  date: (year, month, day) => {
    const parts = [year, month, day].map((part) => Number(integerOf(part))) as [number, number, number];
    const date = new Date(0);
    date.setUTCFullYear(parts[0], parts[1] - 1, parts[2]);
    const exists = date.getUTCMonth() === parts[1] - 1 && date.getUTCDate() === parts[2];
    if (!exists) throw new EvaluationError('Not a date.');
    return checkedTimestamp(BigInt(date.getTime()) * MILLISECOND);
  },
  value: (milliseconds) => checkedTimestamp(integerOf(milliseconds) * MILLISECOND),
};

/** https://firebase.google.com/docs/reference/rules/rules.duration_ */
export const durationFunctions: FunctionTable = {
  value: (magnitude, unit) => {
    const name = textOf(unit);
    const size = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
    if (size === undefined) throw new EvaluationError(`Not a unit of time: ${name}.`);
    return checkedDuration(integerOf(magnitude) * size);
  },
  time: (hours, minutes, seconds, nanos) =>
    checkedDuration(
      integerOf(hours) * HOUR + integerOf(minutes) * MINUTE + integerOf(seconds) * SECOND + integerOf(nanos),
    ),
  abs: (value) => {
    const { nanos } = expectType(value, 'duration');
    return duration(nanos < 0n ? -nanos : nanos);
  },
};

/** A timestamp of the years 1 to 9999; throws an EvaluationError beyond. */
export function checkedTimestamp(nanos: bigint): TimestampValue {
  if (nanos < MIN_TIMESTAMP || nanos > MAX_TIMESTAMP) throw new EvaluationError('Timestamp out of range.');
  return timestamp(nanos);
}

/** A duration of at most about 10,000 years; throws an EvaluationError beyond. */
export function checkedDuration(nanos: bigint): DurationValue {
  if (nanos < -MAX_DURATION || nanos > MAX_DURATION) throw new EvaluationError('Duration out of range.');
  return duration(nanos);
}

function dateOf({ nanos }: TimestampValue): Date {
  return new Date(Number((nanos - modulo(nanos, MILLISECOND)) / MILLISECOND));
}

function modulo(value: bigint, divisor: bigint): bigint {
  return ((value % divisor) + divisor) % divisor;
}
