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
  {
    guard: 'A retry is not sent with the token of another user',
    file: 'client/src/transport.ts',
    from: '    requireSameSender(sender, tokens[0], init.method);\n',
    to: '',
    tests: ['client/src/transport.test.ts'],
  },
  {
    guard: 'The same user who signs in again after a refusal gets new answers',
    file: 'client/src/react/answers.ts',
    from: ' && !hasNewToken',
    to: '',
    tests: ['client/src/react/answers.test.ts'],
  },
];
