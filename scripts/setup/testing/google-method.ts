import type { Refusal } from './refusals.ts';

interface FakeDatabase {
  createTime?: string;
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

/** https://cloud.google.com/functions/docs/reference/rest/v2/projects.locations.functions */
interface FakeFunction {
  name: string;
  state: string;
  createTime: string;
  updateTime: string;
  serviceConfig: { secretEnvironmentVariables: { key: string; secret: string; version: string }[] };
}

/** https://cloud.google.com/firestore/docs/reference/rest/v1/projects.databases.collectionGroups.fields */
interface FakeField {
  name: string;
  ttlConfig?: { state: string };
  indexConfig?: { indexes: { queryScope: string; state: string; fields: object[] }[] };
}

interface FakePolicy {
  etag: string;
  version?: number;
  bindings?: { role: string; members: string[]; condition?: object }[];
}

/** The state of a project, which tests read and change. */
export interface FakeProject {
  billingEnabled: boolean;
  services: Set<string>;
  /** Calls that an API still refuses after it was enabled. */
  callsUntilEnabled: number;
  /** The calls that are left of these, by API. */
  slowServices: Map<string, number>;
  database: FakeDatabase | undefined;
  backupSchedules: FakeSchedule[];
  bucketLocation: string | undefined;
  softDeleteSeconds: number;
  auth: Record<string, unknown> | undefined;
  google: { enabled: boolean } | undefined;
  /** The policy of the service account of the functions. */
  policy: FakePolicy;
  projectPolicy: FakePolicy;
  /** The versions of each secret. The first one has the number 1. */
  secrets: Map<string, string[]>;
  /** Versions that a person has disabled, as `NAME/1`. */
  disabledVersions: Set<string>;
  jobs: Map<string, { state?: string; lastAttemptTime?: string; status?: { code: number } }>;
  /** The states of the queues of Cloud Tasks, by their names. */
  queues: Map<string, string>;
  functions: FakeFunction[];
  /** Content of the deployed rules by their release. */
  rules: Map<string, string>;
  indexes: { name: string; state: string }[];
  fields: FakeField[];
  policies: object[];
  dashboards: object[];
  /** The Hosting sites. */
  sites: { name: string; appId?: string }[];
  webApps: { appId: string; displayName: unknown }[];
}

const PROJECT = '/projects/acme-1';
export const NUMBER = '123456';
export const SERVICE_ACCOUNT = `${NUMBER}-compute@developer.gserviceaccount.com`;

interface Call {
  parts: string[];
  query: URLSearchParams;
  body: Record<string, unknown>;
}

export type Answer = object | Refusal | 400 | 403 | 404;

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
