/** A point in time as a document stores it. Production keeps microseconds and cuts off nanoseconds. */
export class Timestamp {
  /** Seconds since the Unix epoch; negative before it. */
  readonly seconds: number;
  /** Non-negative fraction of the second in nanoseconds. */
  readonly nanos: number;

  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }

  static fromMicros(micros: number): Timestamp {
    const seconds = Math.floor(micros / 1_000_000);
    return new Timestamp(seconds, (micros - seconds * 1_000_000) * 1_000);
  }

  /** Microseconds since the epoch; exact between the years 1684 and 2255. */
  toMicros(): number {
    return this.seconds * 1_000_000 + Math.floor(this.nanos / 1_000);
  }

  truncatedToMicros(): Timestamp {
    return new Timestamp(this.seconds, this.nanos - (this.nanos % 1_000));
  }

  compare(other: Timestamp): number {
    return this.seconds - other.seconds || this.nanos - other.nanos;
  }
}
