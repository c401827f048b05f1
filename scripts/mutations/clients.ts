import type { Mutation } from './mutation.ts';

/** The document of the API and the typed client. */
export const CLIENT_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'An app of an earlier version accepts a new field of an answer',
    file: 'functions/src/openapi/schemas.ts',
    from: '  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;\n',
    to: '',
    tests: ['functions/src/openapi/openapi.test.ts'],
  },
];
