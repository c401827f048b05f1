import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BRAND } from '../../../shared/src/brand.ts';
import { ROOT } from '../../paths.ts';
import type { Finding, Step } from '../step.ts';

const MONITORING = 'monitoring.googleapis.com';

interface Named {
  displayName: string;
}

const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<string, unknown>;

/**
 * The alert policies of monitoring/alerts, in the form of
 * https://cloud.google.com/monitoring/api/ref_v3/rest/v3/projects.alertPolicies
 */
export function alertPolicies(): (Named & Record<string, unknown>)[] {
  return globSync('monitoring/alerts/*.json', { cwd: ROOT })
    .toSorted()
    .map((file) => read(file) as Named & Record<string, unknown>);
}

/** The dashboard of monitoring/dashboard.json, with the name of the app. */
export function dashboard(): Named & Record<string, unknown> {
  return { displayName: BRAND.name, ...read('monitoring/dashboard.json') };
}

/** Creates what is missing. Policies and dashboards that exist are left alone, because operators tune them. */
export const monitoringStep: Step = {
  title: 'Alerts and dashboard',
  check: async ({ google, projectId }) => {
    const policiesPath = `${MONITORING}/v3/projects/${projectId}/alertPolicies`;
    const dashboardsPath = `${MONITORING}/v1/projects/${projectId}/dashboards`;
    const policies = await google.list<Named & { notificationChannels?: string[] }>(
      policiesPath,
      'alertPolicies',
    );
    const dashboards = await google.list<Named>(dashboardsPath, 'dashboards');
    const wanted = [
      ...alertPolicies().map((body) => ({ what: 'alert', path: policiesPath, body, existing: policies })),
      {
        what: 'dashboard',
        path: dashboardsPath,
        body: dashboard(),
        existing: dashboards,
      },
    ];
    const missing = wanted.filter(({ body, existing }) => !hasName(existing, body.displayName));
    const findings: Finding[] = missing.map(({ what, path, body }) => ({
      text: `Cloud Monitoring has no ${what} "${body.displayName}".`,
      action: `create the ${what} "${body.displayName}"`,
      apply: async () => {
        await google.post(path, body);
      },
    }));
    const names = new Set(alertPolicies().map(({ displayName }) => displayName));
    const mute = policies.filter(
      ({ displayName, notificationChannels = [] }) =>
        names.has(displayName) && notificationChannels.length === 0,
    );
    if (mute.length > 0) {
      findings.push({
        text: `${mute.length} alerts notify nobody.`,
        advice: `Add a notification channel at https://console.cloud.google.com/monitoring/alerting?project=${projectId}`,
      });
    }
    return findings;
  },
};

const hasName = (existing: readonly Named[], name: string) =>
  existing.some(({ displayName }) => displayName === name);
