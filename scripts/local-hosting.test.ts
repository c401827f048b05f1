import { expect, test } from 'vitest';
import firebaseJson from '../firebase.json' with { type: 'json' };
import { localHosting } from './local-hosting.ts';
import type { HostingConfig } from './local-policy.ts';
import { portsFrom } from './ports.ts';

const PEOPLE = [{ email: 'ada@demo.example', password: 'warm and bright' }];

function bannerOf({ headers }: HostingConfig): unknown {
  const values = (headers ?? [])
    .flatMap((rule) => rule.headers)
    .filter(({ key }) => key === 'X-Local-Banner');
  return values.map(({ value }) => JSON.parse(value) as unknown);
}

test('the banner of a local stack names the users who can sign in, and links to mail and data', () => {
  const stack = {
    ports: portsFrom({ inbox: 1025, ui: 1000 }),
    region: 'europe-west1',
    banner: { people: PEOPLE, isWatched: true },
  };
  const mail = 'http://localhost:1025';
  expect(bannerOf(localHosting(firebaseJson.hosting, { ...stack, ui: false }))).toEqual([
    { people: PEOPLE, isWatched: true, inbox: mail, data: `${mail}/data` },
  ]);
  expect(bannerOf(localHosting(firebaseJson.hosting, { ...stack, ui: true }))).toEqual([
    { people: PEOPLE, isWatched: true, inbox: mail, data: 'http://localhost:1000' },
  ]);
});

test('a deployment has no banner', () => {
  expect(bannerOf(firebaseJson.hosting)).toEqual([]);
  expect(
    bannerOf(localHosting(firebaseJson.hosting, { ports: portsFrom({}), region: 'x', ui: true })),
  ).toEqual([]);
});
