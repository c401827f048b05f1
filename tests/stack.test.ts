import { expect, inject, test } from 'vitest';
import { call } from './support/requests.ts';
import { TEST_FUNCTIONS } from './support/test-stack.ts';

interface Backends {
  backends: { functionTriggers: { name: string; eventTrigger?: object }[] }[];
}

test('the stack of the tests runs no trigger of events, so a sign-up starts no process', async () => {
  const functions = new URL(inject('stack').urls.api).origin;
  const { backends } = (await (await call('GET', `${functions}/backends`)).json()) as Backends;
  const triggers = backends.flatMap(({ functionTriggers }) => functionTriggers);
  expect(triggers.map(({ name }) => name).sort()).toEqual([...TEST_FUNCTIONS].sort());
  expect(triggers.filter(({ eventTrigger }) => eventTrigger !== undefined)).toEqual([]);
});
