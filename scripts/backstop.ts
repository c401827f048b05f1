export { BACKSTOP_MS } from '@hearth/testing/backstop';

/** The same for one step in a browser, which is a request or two. */
export const BROWSER_BACKSTOP_MS = 180_000;
