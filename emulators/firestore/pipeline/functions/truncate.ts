import { invalidArgument } from '../../errors.ts';
import { Timestamp } from '../../model/timestamp.ts';

const MONTHS = { year: 12, quarter: 3, month: 1 } as const;
const MILLISECONDS = {
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1_000,
  millisecond: 1,
} as const;
/** 1970 began on a Thursday. */
const WEEKDAYS = { week: 0, isoweek: 1 } as const;

/** The start of the year, hour or other unit in which the time is, in a time zone. */
export function truncated(time: Timestamp, unit: string, zone: string): Timestamp {
  const name = unit.toLowerCase();
  if (name === 'microsecond') return time.truncatedToMicros();
  const utc = time.seconds * 1_000 + Math.floor(time.nanos / 1e6);
  const local = utc + offsetAt(utc, zone);
  const start = startOf(local, name);
  // The offset at the start differs from that of the time if the clocks changed in between.
  const guess = start - offsetAt(utc, zone);
  const millis = start - offsetAt(guess, zone);
  const seconds = Math.floor(millis / 1_000);
  return new Timestamp(seconds, (millis - seconds * 1_000) * 1e6);
}

function startOf(millis: number, unit: string): number {
  if (isIn(MILLISECONDS, unit)) return Math.floor(millis / MILLISECONDS[unit]) * MILLISECONDS[unit];
  if (isIn(WEEKDAYS, unit)) {
    const days = Math.floor(millis / MILLISECONDS.day);
    const sinceStart = (((days + 4 - WEEKDAYS[unit]) % 7) + 7) % 7;
    return (days - sinceStart) * MILLISECONDS.day;
  }
  if (!isIn(MONTHS, unit))
    throw invalidArgument(`${unit} is not a unit that a timestamp can be truncated to.`);
  const date = new Date(millis);
  const month = date.getUTCMonth();
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), month - (month % MONTHS[unit]), 1);
  return start.getTime();
}

const isIn = <T extends object>(table: T, name: string): name is Extract<keyof T, string> =>
  Object.hasOwn(table, name);

/** Milliseconds that the zone's clocks are ahead of UTC. Throws INVALID_ARGUMENT for a zone that does not exist. */
function offsetAt(utc: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const name = zoneName(utc, zone);
  const match = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === '-' ? -offset : offset) * 1_000;
}

function zoneName(utc: number, zone: string): string {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    return format.formatToParts(utc).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidArgument(`${zone} is not a time zone.`);
  }
}
