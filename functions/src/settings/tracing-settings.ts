import * as z from 'zod';
import { choice, flag, ratio, text, type Setting } from './kinds.ts';

const URL_MESSAGE = 'must be none, or an http or https URL without user and password';

const collectorSchema = z.string(URL_MESSAGE).refine(isCollector, URL_MESSAGE);

function isCollector(value: string): boolean {
  if (value === 'none') return true;
  const url = URL.parse(value);
  return (
    url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === ''
  );
}

function collector(name: string, description: string): Setting<typeof collectorSchema> {
  return text(name, {
    default: 'none',
    values: 'an http or https URL, or none',
    schema: collectorSchema,
    description,
  });
}

/**
 * The settings of tracing. Names and meanings are OpenTelemetry's. The SDK reads further variables by itself, such as
 * OTEL_SERVICE_NAME.
 *
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const tracing = {
  otelExporterOtlpEndpoint: collector(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'URL of the OpenTelemetry collector, without /v1/traces. If both endpoint settings are none, nothing is traced',
  ),
  otelExporterOtlpTracesEndpoint: collector(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'Full URL to which traces are posted. It replaces OTEL_EXPORTER_OTLP_ENDPOINT',
  ),
  otelSdkDisabled: flag('OTEL_SDK_DISABLED', {
    default: false,
    description: 'Turn tracing off, regardless of the other settings',
  }),
  otelTracesSampler: choice('OTEL_TRACES_SAMPLER', {
    default: 'parentbased_always_on',
    options: [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    description:
      'Selection of the traces that are recorded. The default follows the sampled flag of the request',
  }),
  otelTracesSamplerArg: ratio('OTEL_TRACES_SAMPLER_ARG', {
    default: '1',
    description: 'Share of the traces that a sampler with traceidratio records, such as 0.05',
  }),
};
