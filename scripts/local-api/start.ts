import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FUNCTIONS, ROOT } from '../paths.ts';
import type { Processes } from '../processes.ts';
import { emulatedBucket } from '../project.ts';
import type { StackConfig } from '../stack-config.ts';
import { AGAIN, API_READY } from './ready.ts';

/** The one server of the function `api`. */
export interface LocalApi {
  /** For the Firebase CLI: its processes of `api` become relays to the server. */
  readonly relayEnvironment: Readonly<Record<string, string>>;
  /** Resolves when the server listens. */
  readonly ready: Promise<void>;
  /** Starts the server anew, with the current build. Requests wait meanwhile. */
  readonly restart: () => Promise<void>;
}

/**
 * Serves `api` from one process with production's concurrency. The functions emulator has a process of its own for each
 * request in flight, which would each load the whole function.
 *
 * @param env the environment with which the Admin SDK uses this stack
 */
export function startApi(
  processes: Processes,
  projectId: string,
  config: StackConfig,
  env: Readonly<Record<string, string>>,
): LocalApi {
  const socket = join(config.env['TMPDIR'] ?? tmpdir(), `hearth-api-${process.pid}.sock`);
  const server = processes.keep('API', {
    args: [
      '--import',
      join(ROOT, 'scripts/lifeline.ts'),
      join(ROOT, 'scripts/local-api/server.ts'),
      join(FUNCTIONS, 'lib/index.js'),
      socket,
    ],
    cwd: FUNCTIONS,
    env: { ...config.parameters, ...config.secrets, ...functionEnvironment(projectId, config), ...env },
    readyLine: API_READY,
    againArg: AGAIN,
  });
  const preload = `--require ${JSON.stringify(join(ROOT, 'scripts/local-api/relay.cjs'))}`;
  const inherited = process.env['NODE_OPTIONS'] ?? '';
  return {
    relayEnvironment: { HEARTH_API_SOCKET: socket, NODE_OPTIONS: `${inherited} ${preload}`.trim() },
    ready: server.ready,
    restart: server.restart,
  };
}

/** The variables that the functions emulator sets for a function, apart from those of the Admin SDK. */
function functionEnvironment(projectId: string, { ports }: StackConfig): Record<string, string> {
  return {
    FUNCTION_TARGET: 'api',
    FUNCTION_SIGNATURE_TYPE: 'http',
    K_SERVICE: 'api',
    K_REVISION: '1',
    FUNCTIONS_EMULATOR: 'true',
    TZ: 'UTC',
    METADATA_SERVER_DETECTION: 'none',
    CLOUD_TASKS_EMULATOR_HOST: `127.0.0.1:${ports.tasks}`,
    CLOUD_EVENTARC_EMULATOR_HOST: `http://127.0.0.1:${ports.eventarc}`,
    FIREBASE_CONFIG: JSON.stringify({ projectId, storageBucket: emulatedBucket(projectId) }),
  };
}
