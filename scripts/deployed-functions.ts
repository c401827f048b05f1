/**
 * Writes scripts/deployed-functions.json, which lists the functions as a deployment finds them: `npm run functions`. A
 * test compares it with the packed functions, so that a change of a trigger, of memory or of secrets is seen in a
 * review.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { FUNCTIONS, ROOT } from './paths.ts';

/** The part of the Firebase CLI's description of a function that is compared. */
export interface Endpoint {
  /** The expression of the setting. */
  region?: string | string[];
  availableMemoryMb?: number | null;
  concurrency?: number | null;
  /** A number, or the expression of a setting. */
  maxInstances?: number | string | null;
  timeoutSeconds?: number | null;
  secretEnvironmentVariables?: { key: string }[];
  httpsTrigger?: { invoker?: string[] };
  taskQueueTrigger?: object;
  scheduleTrigger?: { schedule: string };
  eventTrigger?: {
    eventType: string;
    retry?: boolean;
    eventFilters?: Record<string, string>;
    eventFilterPathPatterns?: Record<string, string>;
  };
}

export interface DeployedFunction {
  /** `https` with those who may call it, `task queue`, a schedule, or the type of an event with its filters. */
  trigger: string;
  region: string;
  secrets: string[];
  memoryMb?: number;
  concurrency?: number;
  /** A number, or the expression of a setting. */
  maxInstances?: number | string;
  timeoutSeconds?: number;
}

/** Where the list is checked in. */
export const DEPLOYED_FUNCTIONS = join(ROOT, 'scripts/deployed-functions.json');

/** Describes the functions of the CLI's manifest, in order of their names. */
export function describeFunctions(
  endpoints: Readonly<Record<string, Endpoint>>,
): Record<string, DeployedFunction> {
  const names = Object.keys(endpoints).toSorted();
  return Object.fromEntries(names.map((name) => [name, describe(endpoints[name] ?? {})]));
}

function describe(endpoint: Endpoint): DeployedFunction {
  const { availableMemoryMb: memoryMb, concurrency, maxInstances, timeoutSeconds } = endpoint;
  const options = Object.entries({ memoryMb, concurrency, maxInstances, timeoutSeconds });
  return {
    trigger: triggerOf(endpoint),
    region: String(endpoint.region ?? ''),
    secrets: (endpoint.secretEnvironmentVariables ?? []).map(({ key }) => key),
    ...Object.fromEntries(options.filter(([, value]) => value !== undefined && value !== null)),
  };
}

function triggerOf({ httpsTrigger, taskQueueTrigger, scheduleTrigger, eventTrigger }: Endpoint): string {
  if (httpsTrigger !== undefined) return ['https', ...(httpsTrigger.invoker ?? [])].join(' ');
  if (taskQueueTrigger !== undefined) return 'task queue';
  if (scheduleTrigger !== undefined) return scheduleTrigger.schedule;
  if (eventTrigger === undefined) return 'unknown';
  const { eventType, retry, eventFilters, eventFilterPathPatterns } = eventTrigger;
  const filters = Object.entries({ ...eventFilters, ...eventFilterPathPatterns });
  const words = filters.map(([name, value]) => `${name}=${value}`);
  return [eventType, ...words, ...(retry === true ? ['retried'] : [])].join(' ');
}

/** The text of the checked-in list. */
export function listText(functions: Readonly<Record<string, DeployedFunction>>): Promise<string> {
  return format(JSON.stringify(functions), { parser: 'json', printWidth: 110 });
}

/** Lists the functions of the last build. */
function discover(): Record<string, Endpoint> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-functions-'));
  const manifest = join(folder, 'manifest.json');
  try {
    execFileSync(
      process.execPath,
      [join(ROOT, 'node_modules/firebase-functions/lib/bin/firebase-functions.js'), '.'],
      {
        cwd: FUNCTIONS,
        env: {
          ...process.env,
          GCLOUD_PROJECT: 'demo-hearth',
          FIREBASE_CONFIG: '{"storageBucket":"demo-hearth.firebasestorage.app"}',
          FUNCTIONS_CONTROL_API: 'true',
          FUNCTIONS_MANIFEST_OUTPUT_PATH: manifest,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { endpoints: Record<string, Endpoint> }).endpoints;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) writeFileSync(DEPLOYED_FUNCTIONS, await listText(describeFunctions(discover())));
