import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { Attributes } from '@opentelemetry/api';
import { Refusal } from '../refusals/refusals.ts';

/** Describes the work of a span. It has no personal data, no secrets and no query values. */
export interface SpanDescription {
  /** Has few different values: ids are left out. */
  readonly name: string;
  /** `client` waits for another service, `producer` leaves work to a queue. */
  readonly kind: 'client' | 'producer' | 'internal';
  /** https://opentelemetry.io/docs/specs/semconv/ */
  readonly attributes: Attributes;
}

/** A span without a parent in this process. */
export interface RootDescription {
  readonly name: string;
  readonly kind: 'server' | 'consumer' | 'internal';
  readonly attributes: Attributes;
  /** Headers that may name the span of the program that has sent the request. */
  readonly headers?: IncomingHttpHeaders;
}

export interface ActiveSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly startChild: (description: SpanDescription) => ActiveSpan;
  readonly rename: (name: string) => void;
  readonly set: (attributes: Attributes) => void;
  /** Marks the work as failed. @param kind of the error */
  readonly fail: (kind: string) => void;
  readonly end: () => void;
}

const current = new AsyncLocalStorage<ActiveSpan>();

/** The span under way; undefined if tracing is off or the trace is not recorded. */
export function activeSpan(): ActiveSpan | undefined {
  return current.getStore();
}

/** Runs work under a span. Everything that the work starts and awaits belongs to the span. */
export function underSpan<Result>(span: ActiveSpan, work: () => Result): Result {
  return current.run(span, work);
}

/**
 * Records work as a child of the span under way. If there is no span, only runs the work.
 *
 * @param describe is called only if the work is recorded
 * @param work gets the span, for attributes of the result
 * @example
 * await traced(
 *   () => ({ name: 'render report', kind: 'internal', attributes: {} }),
 *   () => renderReport(team),
 * );
 */
export function traced<Result>(
  describe: () => SpanDescription,
  work: (span?: ActiveSpan) => Promise<Result>,
): Promise<Result> {
  const parent = activeSpan();
  return parent === undefined ? work() : recordAs(parent.startChild(describe()), work);
}

/** Runs work under a span. Ends the span when the work succeeds or fails. */
export async function recordAs<Result>(
  span: ActiveSpan,
  work: (span: ActiveSpan) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await underSpan(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    endWith(span, error);
    throw error;
  }
}

/** Ends a span with the error that its work has thrown. */
export function endWith(span: ActiveSpan, error: unknown): void {
  const kind = errorKind(error);
  if (kind !== undefined) span.fail(kind);
  span.end();
}

/**
 * The kind of an error, without its message, which may have personal data. Undefined for a refusal of the kind
 * `caller`.
 */
function errorKind(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.kind === 'caller' ? undefined : error.code;
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error ? String(error.code) : '';
  return /^[\w./-]{1,60}$/.test(code) ? code : error.name;
}
