import { BRAND } from '@hearth/shared/brand';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
  type Resource,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { ActiveSpan, RootDescription } from '../common/span.ts';
import type { Config } from '../settings/config.ts';
import { processEnvironment, projectIdOf, functionAndRevision } from '../settings/environment.ts';
import { accessToken, authorizationFor, type GetAccessToken } from './collector.ts';
import { logFailures, oneAtATime } from './flush.ts';
import { parentOf } from './parent.ts';

// This file is loaded only if tracing is on.

const KINDS = {
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  server: SpanKind.SERVER,
} as const;

/** Spans are exported when their root ends. This delay is for spans that end later. */
const LATE_SPANS_MS = 600_000;

export interface Sdk {
  /** @returns undefined if the sampler does not record the trace */
  readonly start: (description: RootDescription, startTime: Date) => ActiveSpan | undefined;
  readonly flush: () => Promise<void>;
}

/**
 * Starts the SDK. The SDK is not registered as the global one: packages that look for a global tracer, such as the
 * Firestore client, would record everything a second time.
 *
 * @param url to which traces are posted
 */
export function startSdk(config: Config, url: string, getAccessToken: GetAccessToken = accessToken): Sdk {
  const logFailure = logFailures();
  setGlobalErrorHandler(logFailure);
  const headers = authorizationFor(url, getAccessToken);
  const exporter = new OTLPTraceExporter({ url, ...(headers && { headers }) });
  const provider = new TracerProvider({
    resource: resourceOf(config),
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: LATE_SPANS_MS })],
  });
  const tracer = provider.getTracer('hearth');
  return {
    start: ({ name, kind, attributes, headers: carrier = {} }, startTime) => {
      const parent = parentOf(carrier);
      const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes, startTime }, context);
      return span.isRecording() ? activeSpanOf(tracer, span) : undefined;
    },
    flush: oneAtATime(() => provider.forceFlush().catch(logFailure)),
  };
}

function activeSpanOf(tracer: Tracer, span: Span): ActiveSpan {
  const { traceId, spanId } = span.spanContext();
  const context = trace.setSpan(ROOT_CONTEXT, span);
  return {
    traceId,
    spanId,
    startChild: ({ name, kind, attributes }) =>
      activeSpanOf(tracer, tracer.startSpan(name, { kind: KINDS[kind], attributes }, context)),
    rename: (name) => span.updateName(name),
    set: (attributes) => span.setAttributes(attributes),
    fail: (kind) => span.setAttribute('error.type', kind).setStatus({ code: SpanStatusCode.ERROR }),
    end: () => {
      span.end();
    },
  };
}

/**
 * OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES replace our attributes. Google Cloud's collector needs the project.
 */
function resourceOf({ region }: Config): Resource {
  const environment = processEnvironment();
  const { name, revision } = functionAndRevision(environment);
  const projectId = projectIdOf(environment);
  const own = resourceFromAttributes({
    'service.name': serviceName(BRAND.name),
    'cloud.provider': 'gcp',
    'cloud.platform': 'gcp_cloud_functions',
    'cloud.region': region,
    ...(projectId !== undefined && { 'gcp.project_id': projectId, 'cloud.account.id': projectId }),
    ...(name !== undefined && { 'faas.name': name }),
    ...(revision !== undefined && { 'faas.version': revision }),
  });
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];
  return own.merge(detectResources({ detectors }));
}

/** The words of the app's name: `light-house` for `Light & House`. */
const serviceName = (name: string) => (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [name]).join('-');

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration */
function samplerOf({ otelTracesSampler, otelTracesSamplerArg }: Config): Sampler {
  const root = rootSampler(otelTracesSampler, otelTracesSamplerArg);
  return otelTracesSampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: Config['otelTracesSampler'], ratio: number): Sampler {
  if (name.endsWith('always_off')) return new AlwaysOffSampler();
  return name.endsWith('always_on') ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio);
}
