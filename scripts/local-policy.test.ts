import { expect, it } from 'vitest';
import firebaseJson from '../firebase.json' with { type: 'json' };
import { withLocalPolicy } from './local-policy.ts';
import { portsFrom } from './ports.ts';

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
  });
});
