/** The values that a message shows in place of its names in braces. */
export type MessageValues = Readonly<Record<string, string | number>>;

/**
 * Fills the values into a message. The value `size` is a number of bytes and `wait` a number of seconds: both are
 * written for people, in the given locale. All other values are written as they are.
 *
 * @example fillMessage('At most {size}.', { size: 5_000_000 }, 'en') // 'At most 5 MB.'
 */
export function fillMessage(message: string, values: MessageValues, locale: string): string {
  return message.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? (FORMATS[name]?.(value, locale) ?? String(value)) : String(value);
  });
}

const FORMATS: Readonly<Partial<Record<string, (value: number, locale: string) => string>>> = {
  size: formatBytes,
  wait: formatDuration,
};

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size for people, such as 1.2 MB. A kB has 1000 bytes. */
export function formatBytes(bytes: number, locale: string): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), SIZES.length - 1);
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: SIZES[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  });
  return format.format(bytes / 1000 ** step);
}

/** A waiting time as text, rounded up: in seconds up to 99, then in minutes, and in hours from 100 minutes. */
export function formatDuration(seconds: number, locale: string): string {
  const [value, unit] = inUnit(Math.max(seconds, 1));
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(value));
}

function inUnit(seconds: number): [value: number, unit: string] {
  if (seconds < 100) return [seconds, 'second'];
  return seconds < 6000 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
}
