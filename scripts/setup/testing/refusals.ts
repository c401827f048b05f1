/** An answer that is no success. */
export interface Refusal {
  status: number;
  error: { code: number; message: string; status: string; details?: object[] };
}

export function refusal(code: number, status: string, message: string, details?: object[]): Refusal {
  return { status: code, error: { code, message, status, ...(details && { details }) } };
}

/** https://cloud.google.com/apis/design/errors#error_info describes the details. */
const errorInfo = (reason: string, domain: string, metadata: object) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  ...{ reason, domain, metadata },
});

/** The part of a project's state that decides which APIs answer. */
export interface ApiState {
  /** Calls that an API still refuses after it was enabled. */
  callsUntilEnabled: number;
  billingEnabled: boolean;
  services: Set<string>;
  /** Calls that an API still refuses although it was enabled, by API. */
  slowServices: Map<string, number>;
}

/** The APIs that Google enables in every new project, as far as a set-up uses them. */
export const DEFAULT_SERVICES = ['logging', 'monitoring', 'serviceusage', 'storage'].map(
  (name) => `${name}.googleapis.com`,
);

const NEED_BILLING = new Set(
  'artifactregistry cloudbuild cloudfunctions cloudscheduler cloudtasks compute eventarc run secretmanager'
    .split(' ')
    .map((name) => `${name}.googleapis.com`),
);

/** Refuses a call of an API that is not enabled, or was enabled a moment ago. */
export function refusalOfHost(project: ApiState, host: string): Refusal | undefined {
  const left = project.slowServices.get(host) ?? 0;
  if (project.services.has(host) && left === 0) return undefined;
  if (project.services.has(host)) project.slowServices.set(host, left - 1);
  const message = `${host} has not been used in project 123456 before or it is disabled.`;
  const metadata = { service: host, consumer: 'projects/123456' };
  return refusal(403, 'PERMISSION_DENIED', message, [
    errorInfo('SERVICE_DISABLED', 'googleapis.com', metadata),
  ]);
}

/** Without a billing account Google enables none of the APIs of a call if one of them needs it. */
export function enableServices(project: ApiState, ids: readonly string[]): Refusal | undefined {
  const refused = project.billingEnabled ? [] : ids.filter((id) => NEED_BILLING.has(id));
  if (refused.length > 0) {
    const services = refused.join(',');
    const message = `Billing account for project '123456' is not found. Billing must be enabled for activation of service(s) '${services}' to proceed.`;
    const metadata = { project: '123456', services };
    return refusal(400, 'FAILED_PRECONDITION', message, [
      errorInfo('UREQ_PROJECT_BILLING_NOT_FOUND', 'serviceusage.googleapis.com/billing-enabled', metadata),
    ]);
  }
  for (const id of ids) {
    project.services.add(id);
    if (project.callsUntilEnabled > 0) project.slowServices.set(id, project.callsUntilEnabled);
  }
  return undefined;
}

export const needsBilling = (what: string) =>
  refusal(403, 'PERMISSION_DENIED', `${what} needs a billing account.`);
