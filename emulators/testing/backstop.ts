/**
 * How long a test waits for an event before it gives up. It is no expectation: a slow machine may take long. A little less
 * than the ten minutes that each test has, so that the error names what was waited for.
 */
export const BACKSTOP_MS = 570_000;
