const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const PARENT_POLL_MS = 500;

/**
 * Calls back at every signal to end. It does so as well when npm, which started this process, is gone: npm hands a
 * signal to the shell between the two, and that ends without passing it on.
 */
export function onShutdown(callback: (signal: NodeJS.Signals) => void): void {
  for (const signal of SIGNALS) process.on(signal, callback);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback('SIGTERM');
  }, PARENT_POLL_MS);
  timer.unref();
}
