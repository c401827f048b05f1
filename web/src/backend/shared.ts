/**
 * Makes a function that loads something once for all callers. After a failure the next call loads it again, so that one
 * failed request does not last until the page is reloaded.
 */
export function shared<Value>(load: () => Promise<Value>): { get: () => Promise<Value>; forget: () => void } {
  let loaded: Promise<Value> | undefined;
  const get = () => {
    if (loaded !== undefined) return loaded;
    const loading = load();
    loaded = loading;
    loading.catch(() => {
      if (loaded === loading) loaded = undefined;
    });
    return loading;
  };
  return {
    get,
    forget: () => {
      loaded = undefined;
    },
  };
}
