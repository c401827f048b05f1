import { invalidArgument } from '../errors.ts';
import type { WireTimestamp } from './messages.ts';

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/i;

/** Reads a timestamp such as `2030-01-01T00:00:00.5Z` (RFC 3339). Throws INVALID_ARGUMENT. */
export function parseTimestamp(text: unknown): WireTimestamp {
  const match = typeof text === 'string' ? RFC_3339.exec(text) : null;
  const millis = match ? Date.parse(`${match[1] ?? ''}${match[3] ?? ''}`.toUpperCase()) : NaN;
  if (!match || Number.isNaN(millis)) {
    throw invalidArgument(`Invalid JSON payload received. ${JSON.stringify(text)} is no RFC 3339 timestamp.`);
  }
  return { seconds: String(millis / 1_000), nanos: Number((match[2] ?? '').padEnd(9, '0')) };
}

/** In UTC, with as many digits of the fraction, in groups of three, as it has. */
export function formatTimestamp({ seconds = 0, nanos = 0 }: WireTimestamp): string {
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, -'.000Z'.length);
  const digits =
    nanos === 0
      ? ''
      : `.${String(nanos)
          .padStart(9, '0')
          .replace(/(000){1,2}$/, '')}`;
  return `${whole}${digits}Z`;
}
