import { lazy } from '../common/lazy.ts';
import { logWarning } from '../common/log.ts';
import { recordAs, type ActiveSpan, type RootDescription } from '../common/span.ts';
import type { Config } from '../settings/config.ts';
import { functionAndRevision } from '../settings/environment.ts';
import { tracesUrl } from './collector.ts';
import { waitAtMost } from './flush.ts';

/** OpenTelemetry, if it is on. None of its methods fails. */
export interface Tracing {
  /** Starts a span. The first call loads the SDK. @returns undefined if the trace is not recorded */
  readonly start: (description: RootDescription) => Promise<ActiveSpan | undefined>;
  /** Exports all spans that have ended. The promise is fulfilled when that has been tried. */
  readonly flush: () => Promise<void>;
}

/** Longest wait of an event, a task or a schedule for the export of its spans. */
const FLUSH_MS = 2_000;

/** Tracing as the settings want it; undefined if tracing is off. */
export function createTracing(config: Config): Tracing | undefined {
  const url = tracesUrl(config);
  if (url === undefined) return undefined;
  const sdk = lazy(async () => (await import('./sdk.ts')).startSdk(config, url));
  return {
    start: async (description) => {
      const startTime = new Date();
      try {
        return (await sdk()).start(description, startTime);
      } catch (error) {
        logWarning('A span could not be started', error);
        return undefined;
      }
    },
    flush: async () => {
      await (await sdk().catch(() => undefined))?.flush();
    },
  };
}

/** The cause of a run, in the words of OpenTelemetry. Tasks of a queue arrive as `pubsub`. */
export type Trigger = 'datasource' | 'pubsub' | 'timer';

/**
 * Runs the work of an event, a task or a schedule under a span of its own. Exports the spans before it returns, because
 * afterwards Cloud Run gives the instance no processor time.
 *
 * @param tracing if undefined, only the work runs
 * @param flushMs longest time that an unresponsive collector delays the end
 */
export async function traceRun(
  tracing: Tracing | undefined,
  trigger: Trigger,
  work: () => Promise<unknown>,
  flushMs = FLUSH_MS,
): Promise<void> {
  const kind = trigger === 'timer' ? 'internal' : 'consumer';
  const { name = trigger } = functionAndRevision();
  const span = await tracing?.start({ name, kind, attributes: { 'faas.trigger': trigger } });
  if (tracing === undefined || span === undefined) {
    await work();
    return;
  }
  try {
    await recordAs(span, work);
  } finally {
    await waitAtMost(flushMs, tracing.flush());
  }
}
