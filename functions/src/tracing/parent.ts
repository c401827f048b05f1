import type { IncomingHttpHeaders } from 'node:http';
import { isSpanContextValid, TraceFlags, type SpanContext } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

/** https://cloud.google.com/trace/docs/trace-context#legacy-http-header */
const CLOUD_TRACE = /^([\da-f]{32})\/(\d{1,20})(?:;o=(\d))?$/i;

/**
 * The span of the program that has sent a request, by `traceparent` or otherwise by Google's older header.
 *
 * @returns undefined if no header names a span
 */
export function parentOf(headers: IncomingHttpHeaders): SpanContext | undefined {
  const found =
    parseTraceParent(single(headers['traceparent'])) ?? cloudTrace(headers['x-cloud-trace-context']);
  return found !== undefined && isSpanContextValid(found) ? { ...found, isRemote: true } : undefined;
}

/** The header has the id of the span as a decimal number. */
function cloudTrace(header: string | string[] | undefined): SpanContext | undefined {
  const [, traceId, spanId, options = '0'] = CLOUD_TRACE.exec(single(header)) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return {
    traceId: traceId.toLowerCase(),
    spanId: BigInt(spanId).toString(16).padStart(16, '0'),
    traceFlags: Number(options) & TraceFlags.SAMPLED,
  };
}

function single(header: string | string[] | undefined): string {
  return [header].flat()[0] ?? '';
}
