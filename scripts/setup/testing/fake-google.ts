import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SERVICE_ACCOUNT, type Answer, type FakeProject } from './google-method.ts';
import { METHODS } from './google-methods.ts';
import { DEFAULT_SERVICES, refusalOfHost, type Refusal } from './refusals.ts';

/** A request that the fake received. */
export interface Seen {
  method: string;
  /** Host and path, without the query. */
  path: string;
  body: unknown;
}

export interface FakeGoogle extends AsyncDisposable {
  /** The origin that answers for a host. */
  originOf: (host: string) => string;
  project: FakeProject;
  seen: Seen[];
  /** Requests that the published descriptions do not have. */
  unknown: string[];
}

/** A new project in which nothing is set up. */
function newProject(): FakeProject {
  return {
    billingEnabled: false,
    services: new Set(DEFAULT_SERVICES),
    callsUntilEnabled: 0,
    slowServices: new Map(),
    database: undefined,
    backupSchedules: [],
    bucketLocation: undefined,
    softDeleteSeconds: 0,
    auth: undefined,
    google: undefined,
    policy: { etag: 'abc' },
    // Google's automatic grant, which organizations can forbid.
    projectPolicy: {
      etag: 'p1',
      bindings: [{ role: 'roles/editor', members: [`serviceAccount:${SERVICE_ACCOUNT}`] }],
    },
    secrets: new Map(),
    disabledVersions: new Set(),
    jobs: new Map(),
    queues: new Map(),
    functions: [],
    rules: new Map(),
    indexes: [],
    fields: [],
    policies: [],
    dashboards: [],
    sites: [{ name: 'projects/acme-1/sites/acme-1' }],
    webApps: [],
  };
}

/**
 * Google's management APIs for the project `acme-1`, as far as a set-up uses them. All are served by one HTTP server.
 */
export async function startFakeGoogle(): Promise<FakeGoogle> {
  const fake = { project: newProject(), seen: [] as Seen[], unknown: [] as string[] };
  const server = createServer((request, response) => {
    void answerTo(request, fake).then((answer) => {
      const status = typeof answer === 'number' ? answer : isRefusal(answer) ? answer.status : 200;
      response.writeHead(status, { 'Content-Type': 'application/json' });
      const error = { error: { code: status, message: `answered ${status}` } };
      response.end(JSON.stringify(typeof answer === 'number' ? error : answer));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(fake, {
    originOf: (host: string) => `http://127.0.0.1:${port}/${host}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  });
}

const isRefusal = (answer: object): answer is Refusal => 'status' in answer && 'error' in answer;

async function answerTo(
  request: IncomingMessage,
  { project, seen, unknown }: Pick<FakeGoogle, 'project' | 'seen' | 'unknown'>,
): Promise<Answer> {
  const { method: verb = '' } = request;
  const url = new URL(request.url ?? '', 'http://fake');
  const place = decodeURIComponent(url.pathname.slice(1));
  const content = await text(request);
  const body = content === '' ? {} : (JSON.parse(content) as Record<string, unknown>);
  seen.push({ method: verb, path: place, body });
  if (request.headers.authorization !== 'Bearer operator') return 403;
  const disabled = refusalOfHost(project, place.split('/')[0] ?? '');
  if (disabled !== undefined) return disabled;
  const method = METHODS.find((one) => one.verb === verb && one.path.test(place));
  const { query = [], fields = [] } = method ?? {};
  const extra = [
    ...[...url.searchParams.keys()].filter((name) => !query.includes(name)),
    ...Object.keys(body).filter((name) => !fields.includes(name)),
  ];
  if (method === undefined || extra.length > 0) {
    unknown.push(`${verb} ${place} ${extra.join(' ')}`.trim());
    return 404;
  }
  const parts = method.path.exec(place)?.slice(1) ?? [];
  return method.answer(project, { parts, query: url.searchParams, body });
}
