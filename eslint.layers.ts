/**
 * The layers of functions/src, as ESLint rules. docs/architecture.md explains them.
 *
 * Files that break a rule today are counted in eslint-suppressions.json. After cleaning one up, remove its entry with
 * `npx eslint . --prune-suppressions`; lint fails until that is done. No entry is added to that file.
 */
import { importX, createNodeResolver } from 'eslint-plugin-import-x';

const SOURCE = 'functions/src';

/** Each feature, with the other features that it may import. */
export const FEATURES: Readonly<Record<string, readonly string[]>> = {
  account: ['teams', 'billing', 'mail', 'push'],
  billing: ['teams', 'audit', 'mail', 'push'],
  teams: ['audit', 'mail'],
  invitations: ['teams', 'audit', 'mail', 'push'],
  'app-links': [],
  uploads: ['account', 'billing', 'teams', 'audit'],
  mail: [],
  audit: [],
  push: [],
  admin: ['account', 'audit', 'billing', 'invitations', 'mail', 'teams', 'uploads'],
};

/** Each shared room, with the shared rooms that it may not import. None imports a feature. */
export const SHARED_ROOMS: Readonly<Record<string, readonly string[]>> = {
  auth: ['http'],
  common: [],
  'feature-hooks': [],
  firestore: [],
  http: [],
  openapi: [],
  'personal-data': [],
  'rate-limits': ['http'],
  refusals: [],
  settings: [],
  tracing: ['http'],
};

/** Files of shared rooms that list contributions of the features, and therefore import features. */
export const COMPOSERS = ['feature-hooks/registry.ts'];

/** Files that put the whole service together. No room imports them. */
const ENTRY_POINTS = ['app.ts', 'index.ts'];

const pathsOf = (names: readonly string[]) => names.map((name) => `${SOURCE}/${name}`);

const featureZones = Object.entries(FEATURES)
  .map(([feature, allowed]) => ({
    target: `${SOURCE}/${feature}`,
    from: pathsOf(Object.keys(FEATURES).filter((other) => other !== feature && !allowed.includes(other))),
    message: `${feature}/ may import these features only: ${allowed.join(', ') || 'none'}.`,
  }))
  .filter(({ from }) => from.length > 0);

/** A negated pattern (`!(…)`) excludes the composers from the target. */
const sharedZones = Object.entries(SHARED_ROOMS).map(([room, forbidden]) => {
  const composers = COMPOSERS.filter((file) => file.startsWith(`${room}/`));
  const names = composers.map((file) => file.slice(room.length + 1));
  return {
    target: names.length === 0 ? `${SOURCE}/${room}` : `${SOURCE}/${room}/**/!(${names.join('|')})`,
    from: pathsOf([...Object.keys(FEATURES), ...forbidden]),
    message: `${room}/ is shared: it imports no feature${forbidden.map((other) => ` and nothing of ${other}/`).join('')}.`,
  };
});

const ZONES = [
  ...featureZones,
  ...sharedZones,
  {
    target: `${SOURCE}/settings`,
    from: SOURCE,
    except: ['./settings'],
    message: 'settings/ imports no other folder.',
  },
  {
    target: `${SOURCE}/**/*.routes.ts`,
    from: `${SOURCE}/**/*.store.ts`,
    message: 'Routes call services. Only services import stores.',
  },
  {
    target: `${SOURCE}/**/*.store.ts`,
    from: `${SOURCE}/**/*.service.ts`,
    message: 'Services call stores. A store calls no service.',
  },
  {
    target: `${SOURCE}/**/*.{service,store}.ts`,
    from: `${SOURCE}/**/*.routes.ts`,
    message: 'Routes call services. No service or store calls a route.',
  },
  {
    target: `${SOURCE}/**/*.{service,store}.ts`,
    from: `${SOURCE}/http/**`,
    message: 'Services and stores know nothing about HTTP.',
  },
  {
    target: `${SOURCE}/*/**`,
    from: pathsOf(ENTRY_POINTS),
    message: 'This file puts the rooms together, so no room imports it.',
  },
];

/** The only file that reads `process.env`. */
const ENVIRONMENT = `${SOURCE}/settings/environment.ts`;

const NO_PROCESS_MODULE = { name: 'node:process', message: 'Use the global `process`.' };

/** The endings of files in a feature. They name the layer of a file. */
const LAYER_ENDINGS = ['routes', 'service', 'store', 'view', 'schema'];

const TESTS = [`${SOURCE}/**/*.test.ts`, `${SOURCE}/**/testing/**`];

export const layerRules = [
  {
    files: [`${SOURCE}/**/*.ts`],
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js'] })] },
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones: ZONES }],
      'max-params': ['error', { max: 5 }],
    },
  },
  {
    // A test may start the whole app.
    files: TESTS,
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones: featureZones }],
    },
  },
  {
    files: [`${SOURCE}/**/*.ts`],
    ignores: [ENVIRONMENT, ...TESTS],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read it through settings/environment.ts.' },
      ],
      'no-restricted-imports': ['error', { paths: [NO_PROCESS_MODULE] }],
    },
  },
  {
    files: [`${SOURCE}/**/*.{service,store}.ts`, `${SOURCE}/rate-limits/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            NO_PROCESS_MODULE,
            { name: 'express', message: 'Services, stores and rate-limits/ know nothing about HTTP.' },
          ],
        },
      ],
    },
  },
  {
    files: Object.keys(FEATURES).map((feature) => `${SOURCE}/${feature}/**/*.ts`),
    ignores: [`${SOURCE}/**/*.{${LAYER_ENDINGS.join(',')}}.ts`, ...TESTS],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/firestore/db.ts'],
              message: 'Only services and stores read and write documents.',
            },
            {
              group: ['**/*.service.ts', '**/*.store.ts'],
              allowTypeImports: true,
              message: 'A file without the ending of a layer calls no service and no store.',
            },
          ],
        },
      ],
    },
  },
];
