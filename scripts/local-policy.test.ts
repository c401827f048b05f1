import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import firebaseJson from '../firebase.json' with { type: 'json' };
import { withLocalPolicy, withRegion, type HostingConfig } from './local-policy.ts';
import { portsFrom } from './ports.ts';

interface RewriteSearch {
  findEndpointForRewrite: (
    site: string,
    backend: object,
    id: string,
    region: string | undefined,
  ) => { matchingEndpoint?: unknown };
}

/** The sources of each directive of the policy. */
function policyOf({ headers }: typeof firebaseJson.hosting): Map<string, string[]> {
  const policies = headers
    .flatMap((rule) => rule.headers)
    .filter(({ key }) => key.endsWith('Security-Policy'));
  expect(policies).toHaveLength(1);
  const directives = (policies[0]?.value ?? '').split('; ').map((directive) => directive.split(' '));
  return new Map(directives.map(([name = '', ...sources]) => [name, sources]));
}

it('a deployed page reaches nothing without encryption, and nothing on the visitor’s machine', () => {
  const sources = [...policyOf(firebaseJson.hosting).values()].flat();
  expect(sources.filter((source) => !/^'(self|none)'$|^https:\/\/(\*\.)?[a-z][\w.-]*$/.test(source))).toEqual(
    [],
  );
});

it('a local page reaches the emulators that it uses besides, by their ports', () => {
  const ports = portsFrom({ auth: 1001, firestore: 1002, storage: 1003 });
  const strict = policyOf(firebaseJson.hosting);
  const local = policyOf(withLocalPolicy(firebaseJson.hosting, ports));
  const added = [...local].map(([name, sources]) => [
    name,
    sources.filter((source) => strict.get(name)?.includes(source) !== true).join(' '),
  ]);
  expect(Object.fromEntries(added.filter(([, sources]) => sources !== ''))).toEqual({
    'connect-src':
      'http://127.0.0.1:1001 http://localhost:1001 http://127.0.0.1:1002 http://localhost:1002 http://127.0.0.1:1003 http://localhost:1003',
    'frame-src': 'http://127.0.0.1:1001 http://localhost:1001',
    'img-src': 'http://127.0.0.1:1003 http://localhost:1003',
  });
});

describe('the region', () => {
  it('is in no rewrite, so that a deployment uses the region of the function', () => {
    expect(JSON.stringify(firebaseJson)).not.toMatch(/"region"/);
  });

  it('is given to the Hosting emulator, which cannot find it', () => {
    const { rewrites } = withRegion<HostingConfig>(firebaseJson.hosting, 'europe-west1');
    const expected = firebaseJson.hosting.rewrites.map((rewrite) =>
      'function' in rewrite
        ? { ...rewrite, function: { functionId: 'api', region: 'europe-west1' } }
        : rewrite,
    );
    expect(rewrites).toEqual(expected);
    expect(rewrites?.[0]?.function).toBeDefined();
  });

  /** The CLI's own search for the function of a rewrite. */
  it.each(['us-central1', 'europe-west1'])('is found in the function by a deployment in %s', (region) => {
    const require = createRequire(import.meta.url);
    const { findEndpointForRewrite } =
      require('firebase-tools/lib/deploy/hosting/convertConfig') as RewriteSearch;
    const backend = { endpoints: { [region]: { api: { id: 'api', region } } } };
    const rewrite = firebaseJson.hosting.rewrites[0]?.function as { functionId: string; region?: string };
    const { matchingEndpoint } = findEndpointForRewrite('site', backend, rewrite.functionId, rewrite.region);
    expect(matchingEndpoint).toEqual({ id: 'api', region });
  });
});
