/**
 * How long a test waits for an event before it gives up. It is no expectation: a slow machine may take long. A little less
 * than the ten minutes of vitest.config.ts, so that the error names what was waited for.
 */
export const BACKSTOP_MS = 570_000;

/** The same for one step in a browser, which is a request or two. */
export const BROWSER_BACKSTOP_MS = 180_000;
