/**
 * Loaded into a command before its first line: `node --import edge.ts`. The command runs as it is, and its requests to
 * hosts that lie outside of this machine go to the server that GOOGLE_EDGE names, as `{GOOGLE_EDGE}/{host}{path}`.
 */
const edge = process.env['GOOGLE_EDGE'];
if (edge === undefined) throw new Error('GOOGLE_EDGE names no server.');

const fetchDirectly = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const { protocol, host, pathname, search } = new URL(input instanceof Request ? input.url : input);
  if (protocol !== 'https:') return fetchDirectly(input, init);
  return fetchDirectly(`${edge}/${host}${pathname}${search}`, init);
};
