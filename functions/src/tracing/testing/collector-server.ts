import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { decodeSpans, type ReceivedSpan } from './otlp.ts';

/** A local collector of OpenTelemetry. */
export interface TestCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  /** All spans that arrived. */
  spans: ReceivedSpan[];
  /** The path and the headers of each export. */
  exports: { path: string; headers: IncomingHttpHeaders }[];
  /** Waits until a span with this name has arrived, and returns it with the others of its trace. */
  trace: (name: string) => Promise<{ root: ReceivedSpan; others: ReceivedSpan[] }>;
  /** Waits for the first export. */
  exported: Promise<unknown>;
}

/**
 * Starts a collector that runs until the test ends.
 *
 * @param answer answers an export; an export without an answer hangs
 */
export async function startCollector(
  answer: (response: ServerResponse) => unknown = (response) => response.end(),
): Promise<TestCollector> {
  const spans: ReceivedSpan[] = [];
  const exports: TestCollector['exports'] = [];
  const first = Promise.withResolvers<undefined>();
  let arrived = Promise.withResolvers<undefined>();
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      spans.push(...decodeSpans(body));
      exports.push({ path: request.url ?? '', headers: request.headers });
      first.resolve(undefined);
      arrived.resolve(undefined);
      arrived = Promise.withResolvers();
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    exports,
    exported: first.promise,
    trace: async (name) => {
      for (;;) {
        const root = spans.find((span) => span.name === name);
        if (root !== undefined) {
          return { root, others: spans.filter((span) => span !== root && span.traceId === root.traceId) };
        }
        await arrived.promise;
      }
    },
  };
}
