/**
 * Time that a test waits for an event before it fails. A slow machine may take long, so this is not an expected
 * duration. A little less than the ten minutes of each test, so that the error names the missing event.
 */
export const BACKSTOP_MS = 570_000;
