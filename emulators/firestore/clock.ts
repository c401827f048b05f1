/** Time as the server sees it; tests pass their own. */
export interface Clock {
  /** Microseconds since the Unix epoch. */
  nowMicros(): number;
  /** Calls back once after the given milliseconds unless the returned function was called. */
  schedule(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  nowMicros: () => Math.floor((performance.timeOrigin + performance.now()) * 1_000),
  schedule: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
