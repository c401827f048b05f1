interface FakeDatabase {
  locationId: string;
  type: string;
  pointInTimeRecoveryEnablement?: string;
  deleteProtectionState?: string;
}

export interface FakeSchedule {
  name: string;
  retention: string;
  dailyRecurrence?: object;
  weeklyRecurrence?: { day: string };
}

/** The state of a project, which tests read and change. */
export interface FakeProject {
  billingEnabled: boolean;
  services: Set<string>;
  database: FakeDatabase | undefined;
  backupSchedules: FakeSchedule[];
  bucketLocation: string | undefined;
  softDeleteSeconds: number;
  auth: Record<string, unknown> | undefined;
  google: { enabled: boolean } | undefined;
  policy: { etag: string; bindings?: { role: string; members: string[] }[] };
  secrets: Map<string, string[]>;
  jobs: Map<string, { lastAttemptTime?: string; status?: { code: number } }>;
  functions: string[];
  /** Content of the deployed rules by their release. */
  rules: Map<string, string>;
  indexes: object[];
  fields: object[];
  policies: object[];
  dashboards: object[];
}

const PROJECT = '/projects/acme-1';
export const NUMBER = '123456';
export const SERVICE_ACCOUNT = `${NUMBER}-compute@developer.gserviceaccount.com`;

interface Call {
  parts: string[];
  query: URLSearchParams;
  body: Record<string, unknown>;
}

export type Answer = object | 403 | 404;

export interface Method {
  verb: 'GET' | 'POST' | 'PATCH';
  path: RegExp;
  query?: string[];
  /** Names of the fields that the body may have. */
  fields?: string[];
  answer: (project: FakeProject, call: Call) => Answer;
}

/** Flattens a body into the paths that a field mask names. */
export function masked(body: object, mask: string): boolean {
  return mask.split(',').every((path) => {
    let value: unknown = body;
    for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
    return value !== undefined;
  });
}

export function merged(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || typeof other !== 'object' || Array.isArray(other)) return other;
  const names = Object.keys({ ...one, ...other });
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return Object.fromEntries(
    names.map((name) => [name, name in right ? merged(left[name] ?? {}, right[name]) : left[name]]),
  );
}

export const path = (pattern: string) =>
  new RegExp(
    `^${pattern.replaceAll(/[.()]/g, '\\$&').replaceAll('{project}', PROJECT).replaceAll('*', '([^/:?]+)')}$`,
  );
