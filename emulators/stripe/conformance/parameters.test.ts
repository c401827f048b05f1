import { beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../api/operations.ts';
import { differences } from './requests.ts';
import { readSdkTypes } from './types.ts';
import type { SdkTypes } from './types.ts';

let sdk: SdkTypes;
beforeAll(() => {
  sdk = readSdkTypes();
});

test.each(OPERATIONS.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  "%s knows exactly Stripe's parameters, and names those that it does not support",
  (name, { params }) => {
    const type = sdk.member('Requests', name);
    expect(type && differences(sdk.checker, type, params, '')).toEqual([]);
  },
);
