import type { Config } from '../settings/config.ts';

/** The settings that say where the traces go. */
export type CollectorSettings = Pick<
  Config,
  'otelExporterOtlpEndpoint' | 'otelExporterOtlpTracesEndpoint' | 'otelSdkDisabled'
>;

/**
 * The URL to which traces are posted; undefined if tracing is off.
 *
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/#endpoint-urls-for-otlphttp
 */
export function tracesUrl(settings: CollectorSettings): string | undefined {
  const { otelExporterOtlpEndpoint, otelExporterOtlpTracesEndpoint, otelSdkDisabled } = settings;
  if (otelSdkDisabled) return undefined;
  if (otelExporterOtlpTracesEndpoint !== 'none') return otelExporterOtlpTracesEndpoint;
  if (otelExporterOtlpEndpoint === 'none') return undefined;
  return `${otelExporterOtlpEndpoint.replace(/\/$/, '')}/v1/traces`;
}

/** Gets an access token of the account under which the functions run. */
export type GetAccessToken = () => Promise<string>;

/**
 * The headers that a collector needs besides OTEL_EXPORTER_OTLP_HEADERS. Google Cloud's collector needs an access
 * token, which lasts an hour. Undefined for other collectors, which never get a token.
 */
export function authorizationFor(
  url: string,
  getAccessToken: GetAccessToken,
): (() => Promise<Record<string, string>>) | undefined {
  const { protocol, hostname } = new URL(url);
  const isGoogle = protocol === 'https:' && /^telemetry\.(?:[a-z0-9-]+\.)*googleapis\.com$/.test(hostname);
  if (!isGoogle) return undefined;
  // The exporter does not expect a failure here. Without a token the collector answers 401, which is logged.
  return () =>
    getAccessToken().then(
      (token) => ({ Authorization: `Bearer ${token}` }),
      () => ({}),
    );
}

/** Gets a token from Google's client, which keeps the token until shortly before it expires. */
export async function accessToken(): Promise<string> {
  const { applicationDefault } = await import('firebase-admin/app');
  return (await applicationDefault().getAccessToken()).access_token;
}
