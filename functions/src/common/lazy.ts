/** Runs `load` on the first call and returns its result on later calls. A failure is not kept. */
export function lazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/**
 * Runs `make` once for each key and returns its value on later calls. Keys are held weakly, so they can be garbage
 * collected.
 */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const entry = made.get(key) ?? { value: make(key) };
    made.set(key, entry);
    return entry.value;
  };
}

/** Makes a function that reads a value, and returns this value for some seconds. A failed read is not kept. */
export function cachedFor<Value>(
  seconds: number,
  now: () => Date,
  read: () => Promise<Value>,
): () => Promise<Value> {
  let cached: { value: Promise<Value>; until: number } | undefined;
  return async () => {
    const time = now().getTime();
    if (cached === undefined || cached.until <= time) {
      const value = read();
      cached = { value, until: time + seconds * 1000 };
      value.catch(() => {
        cached = undefined;
      });
    }
    return cached.value;
  };
}
