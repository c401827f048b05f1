import { timestamp, type TimestampValue } from '../value.ts';

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** Reads a timestamp in the form of RFC 3339 with up to nanoseconds; throws an Error. */
export function parseTimestamp(text: string): TimestampValue {
  const [, seconds, fraction = '', zone = ''] = RFC_3339.exec(text) ?? [];
  const milliseconds = Date.parse(`${seconds ?? ''}${zone}`);
  if (Number.isNaN(milliseconds)) throw new Error(`Not a timestamp: ${text}`);
  return timestamp(BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0')));
}
