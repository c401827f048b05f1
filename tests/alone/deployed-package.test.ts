import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { bundle } from '../../functions/bundling/bundle.ts';
import { SETTINGS } from '../../functions/src/settings/table.ts';
import { TEST_SETTINGS } from '../../functions/src/testing/settings.ts';
import {
  DEPLOYED_FUNCTIONS,
  describeFunctions,
  listText,
  type Endpoint,
} from '../../scripts/deployed-functions.ts';
import { ROOT } from '../../scripts/paths.ts';
import { useStack } from '../support/app.ts';
import { APP_URL } from '../support/config.ts';
import { formWith, png } from '../support/files.ts';
import { serveFunction } from '../support/function-process.ts';
import { signUp, type Person } from '../support/people.ts';
import { subscribablePlans } from '../support/plans.ts';
import { call, locationOf, visit } from '../support/requests.ts';
import { createTeam, inviteTo, membersOf, setSampleSeats } from '../support/teams.ts';

interface Manifest {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

interface Locked extends Partial<Manifest> {
  version: string;
  link?: boolean;
}

interface Lock {
  packages: Record<string, Locked>;
}

const readJson = async <Value>(path: string) => JSON.parse(await readFile(join(ROOT, path), 'utf8')) as Value;

const nameIn = (path: string) => path.split('node_modules/').at(-1) ?? path;

describe('the lock file of the deployed functions', () => {
  test('has the packages of package.json: npm run lock -w functions', async () => {
    const { name, version, dependencies, devDependencies } =
      await readJson<Manifest>('functions/package.json');
    const { packages } = await readJson<Lock>('functions/package-lock.json');
    expect(packages['']).toMatchObject({ name, version, dependencies, devDependencies });
    expect(Object.keys(packages)).toEqual(
      expect.arrayContaining(
        Object.keys({ ...dependencies, ...devDependencies }).map(
          (dependency) => `node_modules/${dependency}`,
        ),
      ),
    );
  });

  test('has only versions that are tested here: npm run lock -w functions', async () => {
    const [tested, deployed] = await Promise.all([
      readJson<Lock>('package-lock.json'),
      readJson<Lock>('functions/package-lock.json'),
    ]);
    const versions = new Set(
      Object.entries(tested.packages).map(([path, { version }]) => `${nameIn(path)}@${version}`),
    );
    const others = Object.entries(deployed.packages)
      .filter(([path]) => path !== '')
      .map(([path, { version }]) => `${nameIn(path)}@${version}`)
      .filter((locked) => !versions.has(locked));
    expect(others).toEqual([]);
  });

  test('names no URL to download from', async () => {
    const text = await readFile(join(ROOT, 'functions/package-lock.json'), 'utf8');
    expect(text).not.toContain('"resolved"');
  });

  test('the bundle has every package that is not installed with it', async () => {
    const { dependencies } = await readJson<Manifest>('functions/package.json');
    const { metafile } = await build({ ...bundle, metafile: true, write: false });
    const external = Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports)
      .filter((imported) => imported.external === true && !imported.path.startsWith('node:'))
      .map(({ path }) =>
        path
          .split('/')
          .slice(0, path.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    const builtIn = new Set(builtinModules);
    const packages = new Set(external.filter((name) => !builtIn.has(name)));
    expect([...packages].filter((name) => dependencies[name] === undefined)).toEqual([]);
  });
});

/** The part of the CLI's list of functions that is tested. */
interface Discovered {
  params: { name: string }[];
  endpoints: Record<string, Endpoint>;
}

/** The CLI's own functions that pack the upload. */
interface Packing {
  prepareFunctionsUpload: (
    projectDir: string,
    sourceDir: string,
    config: object,
    additional: string[],
  ) => Promise<{ pathToSource: string }>;
}
interface Unpacking {
  unzip: (archive: string, folder: string) => Promise<void>;
}

describe('the uploaded folder', () => {
  let folder: string;
  let deployed: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hearth-deployed-'));
    const source = join(folder, 'source');
    deployed = join(folder, 'deployed');
    const isSource = (path: string) => !/functions\/(?:node_modules|lib)(?:\/|$)/.test(path);
    await cp(join(ROOT, 'functions'), source, { recursive: true, filter: isSource });
    await build({ ...bundle, outdir: join(source, 'lib') });

    const require = createRequire(import.meta.url);
    const { prepareFunctionsUpload } =
      require('firebase-tools/lib/deploy/functions/prepareFunctionsUpload') as Packing;
    const { unzip } = require('firebase-tools/lib/unzip') as Unpacking;
    const { functions } = await readJson<{ functions: { ignore: string[] }[] }>('firebase.json');
    const config = { ignore: [...(functions[0]?.ignore ?? [])] };
    const { pathToSource } = await prepareFunctionsUpload(ROOT, source, config, []);
    await unzip(pathToSource, deployed);
    await rm(pathToSource);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('is the bundle, its two package files, the plans and the settings', async () => {
    const names = (await readdir(deployed)).filter((name) => !name.startsWith('.env'));
    expect(names.sort()).toEqual(['extras.json', 'lib', 'package-lock.json', 'package.json', 'plans.json']);
  });

  test('installs from its lock file alone, and starts', async () => {
    const run = promisify(execFile);
    await run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: deployed });
    const installed = await readdir(join(deployed, 'node_modules'));
    expect(installed).toEqual(expect.arrayContaining(['firebase-functions', 'firebase-admin', 'sharp']));
    expect(installed).not.toContain('stripe');

    const script =
      "const exported = await import('./lib/index.js'); console.log(typeof exported.api, typeof exported.deliverMail);";
    const env = {
      PATH: process.env['PATH'] ?? '',
      GCLOUD_PROJECT: 'demo-hearth',
      FIREBASE_CONFIG: '{"storageBucket":"demo-hearth.firebasestorage.app"}',
      ...TEST_SETTINGS,
    };
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      cwd: deployed,
      env,
    });
    expect(stdout.trim()).toBe('function function');
    await run(process.execPath, ['--input-type=module', '-e', "await import('sharp');"], {
      cwd: deployed,
      env,
    });

    // The bundle has its own copy of firebase-functions. The CLI asks the installed one what the code exports and
    // needs.
    const manifestFile = join(folder, 'functions.json');
    const discovery = { FUNCTIONS_CONTROL_API: 'true', FUNCTIONS_MANIFEST_OUTPUT_PATH: manifestFile };
    const program = join(deployed, 'node_modules/firebase-functions/lib/bin/firebase-functions.js');
    await run(process.execPath, [program, '.'], { cwd: deployed, env: { ...env, ...discovery } });
    const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Discovered;
    expect(manifest.params.map(({ name }) => name)).toEqual(
      expect.arrayContaining(Object.values(SETTINGS).map(({ name }) => name)),
    );
    // After an intended change: npm run functions
    expect(await listText(describeFunctions(manifest.endpoints))).toBe(
      await readFile(DEPLOYED_FUNCTIONS, 'utf8'),
    );
  });

  test('serves the five routes of the contract as installed', async () => {
    const { urls } = inject('stack');
    useStack();
    await using api = await serveFunction({
      folder: deployed,
      settings: { APP_URL, STRIPE_API_URL: urls.stripe ?? '', STRIPE_SECRET_KEY: 'sk_test_hearth_local' },
    });
    const [owner, guest] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(api.url, owner);
    await setSampleSeats(teamId);
    const get = async (path: string, person: Person) => {
      const answer = await visit(api.url + path, person.bearer);
      expect([302, 303, 307]).toContain(answer.status);
      return locationOf(answer);
    };
    for (const { slug } of subscribablePlans('user').slice(0, 1)) {
      expect((await get(`/api/auth/checkout/${slug}`, owner)).pathname).toMatch(/^\/c\/pay\/cs_/);
      expect((await get('/api/auth/portal', owner)).pathname).toMatch(/^\/p\/session\//);
    }

    const first = new URL((await inviteTo(api.url, owner, teamId, guest.email)).rejectUrl);
    expect((await get(first.pathname + first.search, guest)).pathname).toBe('/dashboard');
    expect(await membersOf(teamId)).toHaveLength(1);
    const other = await createTeam(api.url, owner);
    await setSampleSeats(other);
    const second = new URL((await inviteTo(api.url, owner, other, guest.email)).acceptUrl);
    expect((await get(second.pathname + second.search, guest)).pathname).toBe('/dashboard');
    expect(await membersOf(other)).toHaveLength(2);

    const body = formWith(png(), 'a.png');
    const uploaded = await call('POST', `${api.url}/api/upload`, { headers: owner.bearer, body });
    expect(uploaded.status).toBe(200);
    const { url } = (await uploaded.json()) as { url: string };
    expect(URL.canParse(url)).toBe(true);
  });
});
