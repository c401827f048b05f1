import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

interface Endpoint {
  id: string;
  hash?: string;
  targetedByOnly?: boolean;
  [name: string]: unknown;
}

interface Backend {
  endpoints: Record<string, Record<string, Endpoint>>;
  [name: string]: unknown;
}

interface Filter {
  codebase: string;
  idChunks: string[];
}

interface Changes {
  endpointsToUpdate: unknown[];
  endpointsToSkip: Endpoint[];
}

const require = createRequire(import.meta.url);
const load = (file: string): unknown => require(`firebase-tools/lib/deploy/functions/${file}`);
const { applyBackendHashToBackends } = load('cache/applyHash.js') as {
  applyBackendHashToBackends: (backends: Record<string, Backend>, context: object) => void;
};
const { endpointMatchesAnyFilter, getEndpointFilters } = load('functionsDeployHelper.js') as {
  endpointMatchesAnyFilter: (endpoint: Endpoint, filters: Filter[]) => boolean;
  getEndpointFilters: (options: { only?: string }, config?: object) => Filter[] | undefined;
};
const { calculateChangesets } = load('release/planner.js') as {
  calculateChangesets: (
    want: Record<string, Endpoint>,
    have: Record<string, Endpoint>,
    key: () => string,
  ) => Record<string, Changes>;
};

/** The function `api` as the CLI sees it, with the hash of its code, settings and secrets. */
function apiOf(fields: Partial<Endpoint>): Endpoint {
  const api: Endpoint = {
    ...{ id: 'api', project: 'acme-1', region: 'europe-west1', platform: 'gcfv2', entryPoint: 'api' },
    ...{ runtime: 'nodejs24', httpsTrigger: { invoker: ['public'] }, secretEnvironmentVariables: [] },
    ...fields,
  };
  const backend = { environmentVariables: {}, endpoints: { 'europe-west1': { api } } };
  applyBackendHashToBackends({ default: backend }, { sources: { default: { functionsSourceV2Hash: 'a' } } });
  return api;
}

/** The plan of the Firebase CLI for a function that runs and is unchanged, such as one whose invoker was never set. */
function outcomeOf(only: string | undefined): Changes | undefined {
  const filters = getEndpointFilters(only === undefined ? {} : { only }) ?? [];
  const want = apiOf({});
  want.targetedByOnly = endpointMatchesAnyFilter(want, filters);
  const have = apiOf({ state: 'ACTIVE' });
  expect(have.hash).toBe(want.hash);
  return calculateChangesets({ api: want }, { api: have }, () => 'all')['all'];
}

test.each([undefined, 'functions'])('the Firebase CLI skips an unchanged function with --only %s', (only) => {
  expect(outcomeOf(only)).toMatchObject({ endpointsToUpdate: [], endpointsToSkip: [{ id: 'api' }] });
});

test('the Firebase CLI deploys an unchanged function that --only names', () => {
  expect(outcomeOf('functions:api')).toMatchObject({ endpointsToUpdate: [{}], endpointsToSkip: [] });
});
